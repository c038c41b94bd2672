import Sandbox
import Testing

extension BrowserTests {
  /// The focused element has a visible indicator (WCAG 2.2, 2.4.7), and is not covered by fixed
  /// elements (2.4.11).
  @Suite struct FocusTests {
    private static let pages = [
      "/", "/issues", "/issues?q=apple/cups", "/issues/new?repository=apple/cups",
      "/repositories?language=swift", "/repositories?language=swift&filter=0",
      "/itunes", "/movies/top-rated", "/movie/120011", "/dogs?q=g",
    ]

    /// The reason why the focused element is not visible: it has no outline, or is covered.
    private static let cover = """
      const element = document.activeElement;
      if (!element || element === document.body) return "";
      const isOutlined = [null, "::after"].map((part) => getComputedStyle(element, part))
        .some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
      if (!isOutlined) return `no outline: ${element.outerHTML.slice(0, 90)}`;
      const box = element.getBoundingClientRect();
      const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + box.height / 2];
      if (y < 0 || y > innerHeight) return `outside of the window: ${element.outerHTML.slice(0, 90)}`;
      const points = [[x, y], [x, Math.max(box.top + 2, 1)], [x, Math.min(box.bottom - 2, innerHeight - 1)]];
      for (const point of points) {
        const top = document.elementFromPoint(...point);
        const isOwn = !top || element.contains(top) || top.contains(element)
          || [...element.labels ?? []].some((label) => label.contains(top));
        if (!isOwn) return `${top.outerHTML.slice(0, 60)} covers ${element.outerHTML.slice(0, 90)}`;
      }
      return "";
      """

    @Test(.site(allowing: ["500", "net::ERR_"]), .serialized, arguments: [1280, 390])
    func `nothing covers what has the focus`(width: Int) async throws {
      try await browser.become(width: width, height: width > 640 ? 800 : 844)
      for path in Self.pages {
        try await site.openLive(path)
        try await eventually("the page is settled") {
          try await !browser.has(".is-loading, .is-skeleton")
        }
        // Shows an error if the page has content that can be reloaded.
        site.sandbox.update { $0.failureRate = 1 }
        if try await browser.has("[data-live-click=refresh]") {
          try await browser.run("document.querySelector('[data-live-click=refresh]').click()")
          try await site.waitFor("#failure")
        } else if path.hasPrefix("/issues/new") {
          try await browser.type("A title" + Key.enter, into: "#title")
          try await site.waitFor("#failure")
        }
        site.sandbox.update { $0.failureRate = 0 }
        var covered: Set<String> = []
        // Until the focus leaves the page, after each element has been focused.
        for count in 0..<40 {
          try await browser.type(Key.tab)
          // Waits two frames, until the element is scrolled into view.
          let cover = try await browser.run(
            """
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
              done(document.activeElement === document.body ? "left" : (() => { \(Self.cover) })()))));
            """, returning: String.self)
          if cover == "left" {
            if count > 3 { break }
          } else if !cover.isEmpty {
            covered.insert(cover)
          }
        }
        #expect(covered == [], "\(path), \(width)")
      }
    }

    /// The error appears after the key was pressed.
    @Test(.site(sandbox: .init { $0.failureRate = 1 }), .serialized, arguments: [1280, 390])
    func `an error does not cover the button that failed`(width: Int) async throws {
      try await browser.become(width: width, height: width > 640 ? 800 : 844)
      try await site.openLive("/issues/new?repository=apple/cups")
      try await browser.type("A title", into: "#title")
      try await browser.run(
        "document.querySelector('form [type=submit]').focus({ focusVisible: true })")
      try await browser.type(Key.enter)
      try await site.waitFor("#failure")
      try await eventually("nothing covers it") {
        try await browser.run(Self.cover, returning: String.self).isEmpty
      }
    }

    @Test(.site) func `the link back returns to the list as it was left`() async throws {
      try await site.openList("/movies/top-rated")
      try await site.scrollDown()
      try await site.waitForRows("the next page") { $0 == 40 }
      let before = try await browser.run(
        "document.querySelectorAll('.movie a')[30].scrollIntoView(); return [history.length, Math.round(scrollY)]",
        returning: [Int].self)
      try await browser.run("document.querySelectorAll('.movie a')[30].click()")
      try await site.waitFor("#back")
      try await browser.click("#back")
      // The end of the list was near, so the third page may have loaded before the click.
      try await eventually("the list is back at its place") {
        let after: [Int] = try await browser.evaluate(
          "[history.length, document.querySelectorAll('.movie').length, Math.round(scrollY)]")
        return after[0] == before[0] + 1 && after[1] >= 40 && after[2] == before[1]
      }
      // If the page was opened directly, the link loads the list.
      try await site.openLive("/movie/120011")
      try await browser.click("#back")
      try await site.waitForRows()
    }
  }
}
