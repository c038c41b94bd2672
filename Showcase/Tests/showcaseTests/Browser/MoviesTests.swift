import Domain
import Sandbox
import Testing

extension BrowserTests {
  @Suite struct MoviesTests {
    @Test(.site) func `the segments switch the list and the address`() async throws {
      try await site.openList("/movies/now-playing")
      let now = try await site.texts("#list h2")[0]
      try await browser.click(".segments a:nth-child(2)")
      try await site.waitForAddress("/movies/top-rated")
      try await eventually("another list is shown") {
        let titles = try await site.texts("#list:not(.is-old) h2")
        return !titles.isEmpty && titles[0] != now
      }
      #expect(try await browser.text("[aria-current=page][data-live-click]") == "Top rated")
      #expect(try await browser.title == "Top rated · Movies")
      // The same by keyboard, from the other segment.
      try await browser.run("document.querySelector('.segments a').focus()")
      try await browser.type(Key.enter)
      try await site.waitForAddress("/movies/now-playing")
      try await browser.back()
      try await site.waitForAddress("/movies/top-rated")
      try await eventually("the segment follows") {
        try await browser.text("[aria-current=page][data-live-click]") == "Top rated"
      }
    }

    @Test(.site) func `the language is chosen and marked`() async throws {
      try await site.openList("/movies/top-rated")
      #expect(try await Set(site.attributes("lang", of: "#list h2")) == ["en-US"])
      try await browser.run("document.querySelector('#language').focus()")
      try await browser.type("d")
      try await site.waitForAddress("/movies/top-rated?language=de-DE")
      try await eventually("the titles are German") {
        try await Set(site.attributes("lang", of: "#list:not(.is-old) h2")) == ["de-DE"]
      }
      let german = try await site.catalogue.movies(in: .topRated, language: "de-DE", page: 1)
      #expect(try await site.texts("#list h2").starts(with: german.items.map(\.title)))
      // The other list keeps the language.
      try await browser.click(".segments a:first-child")
      try await site.waitForAddress("/movies/now-playing?language=de-DE")
    }

    @Test(.site) func `card leads to its movie`() async throws {
      try await site.openList("/movies/top-rated?language=de-DE")
      let title = try await browser.text("#list > li:first-child h2")
      // The link covers the whole card.
      try await browser.run(
        """
        const { left, top } = document.querySelector("#list > li").getBoundingClientRect();
        document.elementFromPoint(left + 20, top + 100).click();
        """)
      try await site.waitFor("#movie .count dd")
      #expect(try await browser.text("#movie-title") == title)
      #expect(try await browser.url.contains(#/\/movie\/\d+\?language=de-DE$/#))
      #expect(try await browser.text(".links [aria-current]") == "Movies")
      let released = try await browser.text("#movie .count:first-child dd")
      #expect(released.contains(#/^\d+\. [A-ZÄ][a-zä]+ \d{4}$/#), "in German: \(released)")
      try await browser.click("#back")
      try await site.waitForRows()
      #expect(try await browser.url.contains("language=de-DE"))
    }

    /// Tests both directions with the script's visits; the transitions between documents use the
    /// same styles.
    @Test(.site(Browser.Options(hasMotion: true)), arguments: [true, false])
    func `a poster grows into that of its page`(isCalm: Bool) async throws {
      if isCalm { try await browser.prefer("light") }
      try await site.openList("/movies/top-rated")
      try await browser.run(
        """
        window.moved = [];
        const start = document.startViewTransition.bind(document);
        document.startViewTransition = (change) => {
          const transition = start(change);
          transition.ready.then(() => moved.push(...document.getAnimations()
            .map((one) => one.effect.pseudoElement ?? "").filter((name) => name.includes("(picture)"))));
          return transition;
        };
        """)
      let moved = {
        try await browser.run("return moved.splice(0).length > 0", returning: Bool.self)
      }
      try await browser.run("document.querySelector('#list > li:nth-child(3) a').click()")
      try await site.waitFor("#movie .count dd")
      if isCalm {
        #expect(try await !moved())
      } else {
        try await eventually("the poster moves") { try await moved() }
        try await browser.back()
        try await site.waitForRows()
        try await eventually("it moves back") { try await moved() }
      }
    }

    /// If the focused link is replaced by rows, the focus moves to the first new row, so that it
    /// neither leaves the screen nor skips rows; also if the last page removes the link.
    @Test(.site(allowing: ["500"]), .serialized, arguments: [false, true])
    func `the focus stays where the next page comes in`(isLast: Bool) async throws {
      let list = try await site.catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
      let pages = try #require(list.total) / list.items.count
      let rows = try await site.openList("/movies/now-playing" + (isLast ? "?page=\(pages)" : ""))
      site.sandbox.update { $0.failureRate = 1 }
      try await site.scrollDown()
      try await site.waitFor("#failure.toast")
      site.sandbox.update { $0.failureRate = 0 }
      try await browser.run("document.querySelector('#more a').focus()")
      try await browser.type(Key.enter)
      try await eventually("the focus is on the first new row, on the screen") {
        try await browser.run(
          """
          const row = document.querySelector("#list > li:nth-child(\(rows + 1))");
          const box = row?.getBoundingClientRect();
          return row !== null && row.contains(document.activeElement)
            && box.bottom > 0 && box.top < innerHeight;
          """, returning: Bool.self)
      }
      #expect(try await browser.has("#end") == isLast)
    }

    @Test(.site(allowing: ["404", "ERR_"]))
    func `a picture that is not there leaves its place`() async throws {
      try await browser.devTools("Network.enable", [String: String]())
      try await browser.devTools("Network.setBlockedURLs", ["urls": ["*.svg"]])
      for path in ["/movies/now-playing", "/itunes", "/repositories?language=swift"] {
        try await site.openList(path)
        let boxes = try await browser.run(
          """
          return [...document.querySelectorAll("#list .poster, #list .avatar")].slice(0, 5)
            .map((one) => one.getBoundingClientRect()).map((box) => box.width / box.height);
          """, returning: [Double].self)
        let ratio = path.hasPrefix("/repositories") ? 1 : 2.0 / 3
        #expect(boxes.count == 5 && boxes.allSatisfy { abs($0 - ratio) < 0.02 }, "\(boxes)")
        // Missing images show no broken-image icon: their background covers it.
        #expect(try await Set(site.attributes("alt", of: "#list img")) == [""])
        let grounds = try await browser.run(
          """
          return [...document.querySelectorAll("#list img")].slice(0, 5)
            .map((one) => getComputedStyle(one, "::after"))
            .map((style) => `${style.position} ${style.content} ${style.inset}`);
          """, returning: [String].self)
        #expect(Set(grounds) == [#"absolute "" 0px"#])
      }
    }
  }
}
