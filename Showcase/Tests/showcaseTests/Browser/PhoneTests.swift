import Testing

extension BrowserTests {
  /// The links at the bottom of a narrow window.
  @Suite struct PhoneTests {
    private func shown(_ selector: String) async throws -> [String] {
      try await browser.run(
        """
        return [...document.querySelectorAll(arguments[0])]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length)
          .map((one) => one.querySelector("span").textContent);
        """, selector, returning: [String].self)
    }

    @Test(.site) func `phones get four links and more`() async throws {
      let six = ["Issues", "Repositories", "Movies", "Dogs", "Watch", "iTunes"]
      try await site.openLive("/dogs")
      #expect(try await shown(".links a") == six)
      #expect(try await shown(".links button") == [])
      try await browser.becomePhone()
      #expect(try await shown(".links a") == ["Issues", "Repositories", "Movies", "Dogs"])
      try await browser.click(".links .more")
      #expect(try await shown(".links a") == six)
      try await browser.type(Key.escape)
      #expect(try await shown(".rest a") == [])
      // A choice closes the menu, even if the current page is chosen.
      for _ in 1...2 {
        try await browser.click(".links .more")
        try await browser.click(".rest a[href='/itunes']")
        try await site.waitFor(".rest [aria-current]")
        #expect(try await shown(".rest a") == [])
      }
      let colors = try await browser.run(
        """
        return [".more", ".links > a"].map((one) => getComputedStyle(document.querySelector(one)).color);
        """, returning: [String].self)
      #expect(colors[0] != colors[1], "the button says that the page is behind it")
    }

    @Test(.site, arguments: ["", "9", "99", "999+"])
    func `a number stays in its pill`(number: String) async throws {
      try await site.openLive("/dogs")
      try await browser.becomePhone()
      try await browser.click(".links .more")
      let overflows = try await browser.run(
        """
        const badge = document.querySelector(".links > a .badge");
        badge.textContent = arguments[0];
        document.querySelector(".rest a").append(badge.cloneNode(true));
        return [...document.querySelectorAll(".badge")].slice(0, 1)
          .concat(document.querySelector(".rest .badge")).map((one) => {
            const pill = one.getBoundingClientRect();
            const range = document.createRange();
            range.selectNodeContents(one);
            const text = range.getBoundingClientRect();
            if (!arguments[0]) return pill.width;
            return Math.max(0, pill.left + 4 - text.left, text.right + 4 - pill.right,
              pill.height - 26, pill.right - innerWidth);
          });
        """, number, returning: [Double].self)
      #expect(overflows == [0, 0])
    }
  }
}
