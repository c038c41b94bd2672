import Sandbox
import Testing

extension Browser {
  /// Emulates the size of a phone, because windows can't be that narrow.
  func becomePhone() async throws {
    try await become(width: 390, height: 844)
  }

  /// Emulates a screen size.
  func become(width: Int, height: Int) async throws {
    struct Metrics: Encodable {
      let width: Int
      let height: Int
      let deviceScaleFactor = 1
      let mobile = false
    }
    try await devTools("Emulation.setDeviceMetricsOverride", Metrics(width: width, height: height))
  }
}

extension BrowserTests {
  @Suite struct LayoutTests {
    @Test(.site(allowing: ["404", "500"]))
    func `nothing is wider than the window`() async throws {
      let paths = [
        "/", "/?q=great", "/issues", "/issues?q=app", "/issues?q=nobody/nothing", "/nowhere",
        "/repositories",
        "/repositories?language=swift&filter=0", "/repositories?language=klingon",
        "/repositories/apple/swift", "/repositories/nobody/nothing", "/itunes?limit=50",
        "/movies/now-playing?language=ja-JP", "/movies/top-rated?page=3", "/dogs", "/dogs?q=g",
        "/watch/board",
      ]
      for path in paths {
        try await site.open(path)
        try await expectNoHorizontalScrolling(browser, path)
      }
      // Lists of the sandbox with long words, long titles and other scripts.
      for name in ["apple/swift", "noor-al-kutub/maktaba", "asa-yuki/hoshizora"] {
        try await site.openLive("/issues?q=\(name)")
        try await site.waitForIssues(of: name)
        try await expectNoHorizontalScrolling(browser, name)
        try await browser.click("#issues li:first-child .row")
        try await site.waitFor("#picked")
        try await expectNoHorizontalScrolling(browser, "an issue of \(name)")
      }
      site.sandbox.update { $0.failureRate = 1 }
      for path in ["/issues?q=apple/swift", "/repositories/apple/swift", "/itunes"] {
        try await site.open(path)
        try await site.waitFor("#failure")
        try await expectNoHorizontalScrolling(browser, "a failure of \(path)")
      }
    }

    @Test(.site) func `all pages begin at the same edge`() async throws {
      let paths = [
        "/", "/issues?q=apple/swift", "/issues/new", "/watch", "/watch/board",
        "/repositories?language=swift",
        "/repositories/apple/swift", "/itunes", "/movies/now-playing", "/movie/120011", "/dogs?q=g",
      ]
      for width in [1920, 1280, 390] {
        try await browser.become(width: width, height: 844)
        var edges: Set<Double> = []
        for path in paths {
          try await site.openLive(path)
          let edge = try await browser.run(
            """
            return Math.min(...[...document.querySelectorAll("main > :not(.search)")]
              .filter((element) => element.getClientRects().length && !element.matches(".unseen, .progress"))
              .map((element) => element.getBoundingClientRect().left));
            """, returning: Double.self)
          edges.insert(edge)
        }
        #expect(edges.count == 1, "\(edges) at \(width)")
      }
    }

    @Test(.site) func `issues are rows of two lines`() async throws {
      try await site.openIssues(of: "apple/swift")
      for width in [1280, 1920] {
        try await browser.become(width: width, height: 844)
        let heights: [Double] = try await browser.evaluate(
          "[...document.querySelectorAll('.row')].map((row) => row.offsetHeight)")
        #expect(heights.count > 80 && heights.allSatisfy { (60...68).contains($0) }, "\(width)")
      }
    }

    private func expectNoHorizontalScrolling(_ browser: Browser, _ what: String) async throws {
      for width in [1920, 1280, 390, 320] {
        try await browser.become(width: width, height: 844)
        let overhang: Int = try await browser.evaluate(
          "document.documentElement.scrollWidth - innerWidth")
        #expect(overhang <= 0, "\(what), \(width)")
      }
    }
  }
}
