import CurlewTesting
import Domain
import Foundation
import Sandbox
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// The accessibility of every page: for users of screen readers, of keyboards, and with low
  /// vision.
  @Suite(
    .enabled(
      if: Axe.shared != nil || ProcessInfo.processInfo.environment["CI"] != nil,
      "axe-core is not installed"))
  struct AccessTests {
    /// Pages for each state, grouped by the sandbox options that they need.
    private static let pages = [
      "/", "/?q=great", "/issues", "/issues/new", "/issues?q=apple/cups",
      "/issues?q=nobody/nothing",
      "/repositories",
      "/repositories?language=swift", "/repositories?language=swift&filter=0",
      "/repositories?language=klingon", "/repositories/apple/swift",
      "/repositories/nobody/nothing", "/itunes", "/movies/top-rated?language=ja-JP",
      "/movie/120011", "/movie/1", "/dogs",
      "/dogs?q=g", "/dogs/samoyed", "/watch/board", "/nowhere",
    ]

    /// Expects no violations of axe-core's rules or of the additional checks.
    private func expectNoFaults(
      _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let own = try await browser.run(Self.inspection, returning: [String].self)
      let faults = try await own + axe.violations(on: browser)
      #expect(faults == [], "\(what)", sourceLocation: sourceLocation)
    }

    private let axe: Axe

    init() throws { axe = try #require(Axe.shared, "Scripts/setup tests installs axe-core") }

    /// The widths and colour schemes in which each page is inspected; `CURLEW_FUZZ` adds two
    /// combinations.
    private static let looks = [
      (1280, "light"), (390, "dark"), (1280, "dark"), (390, "light"),
    ].prefix(Fuzz.size(2, full: 4))

    @Test(
      .site(
        sandbox: .init { ($0.incompleteResults, $0.damagedEntries) = (true, 1) }, allowing: ["404"])
    )
    func `everything has a name and can be read`() async throws {
      for path in Self.pages {
        try await site.open(path)
        try await eventually("the page is settled") {
          try await !browser.has(".is-loading, .is-skeleton")
        }
        try await expectNoFaultsInAnyLook(path)
      }
      site.sandbox.update { $0.failureRate = 1 }
      for path in ["/itunes", "/repositories/apple/cups"] {
        try await site.open(path)
        try await site.waitFor("#failure")
        try await expectNoFaultsInAnyLook("a failure of \(path)")
      }
    }

    private func expectNoFaultsInAnyLook(_ what: String) async throws {
      for (width, scheme) in Self.looks {
        try await browser.become(width: width, height: 900)
        try await browser.prefer(scheme)
        try await expectNoFaults("\(what), \(scheme), \(width)")
      }
    }

    @Test(
      .site(sandbox: .init { $0.searchRateLimit = 1 }, allowing: ["403"]), .serialized,
      arguments: [1280, 390])
    func `a countdown can be read`(width: Int) async throws {
      try await browser.become(width: width, height: 900)
      for scheme in ["light", "dark"] {
        try await browser.prefer(scheme)
        // The first countdown is above rows, the second without rows.
        for language in scheme == "light" ? ["c", "go"] : ["go"] {
          try await site.open("/repositories?language=\(language)")
          try await site.waitFor("#countdown")
          try await expectNoFaults("\(language), \(scheme)")
        }
      }
    }

    @Test(
      .site, .serialized,
      arguments: ["/repositories?language=swift", "/itunes", "/movies/now-playing"])
    func `nothing moves while pictures come`(path: String) async throws {
      try await site.openList(path)
      try await eventually("a picture is there") {
        try await browser.evaluate(
          "[...document.querySelectorAll('#list img')].some((one) => one.naturalWidth)")
      }
      let shift = try await browser.run(
        """
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: "layout-shift", buffered: true });
        // Excludes shifts while the document is being parsed, which a slow browser renders
        // progressively.
        const [{ domInteractive }] = performance.getEntriesByType("navigation");
        return observer.takeRecords().filter((one) => one.startTime > domInteractive)
          .reduce((sum, one) => sum + one.value, 0);
        """, returning: Double.self)
      #expect(shift < 0.01)
    }

    @Test(.site, .serialized, arguments: [1280, 390])
    func `nothing moves on the first page`(width: Int) async throws {
      try await browser.become(width: width, height: 2_400)
      try await site.openLive("/")
      try await browser.run("document.querySelector('[data-live-hook=type]').click()")
      try await site.waitFor("#list li")
      try await site.waitFor(".naive.is-wrong #naive li")
      let shifts = try await browser.run(
        """
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: "layout-shift", buffered: true });
        return observer.takeRecords().flatMap(({ value, sources }) => sources.map(
          ({ node, previousRect, currentRect }) =>
            `${value}: ${(node?.outerHTML ?? node?.textContent ?? "").slice(0, 80)}`
              + ` ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`));
        """, returning: [String].self)
      #expect(shifts == [])
    }

    /// Checks the accessibility tree, as a screen reader does.
    @Test(.site) func `a row's name is its title`() async throws {
      try await site.openIssues(of: "apple/swift")
      try await browser.type(Key.down, into: "#q")
      let first = try #require(try await site.firstIssue(of: "apple/swift"))
      let row = try await browser.focusedAccessibility()
      #expect(row.name == first.title)
      #expect(row.description.contains("#\(first.number)"))
      #expect(row.description.contains(first.author))
    }

    @Test(.site(sandbox: .init { $0.latency = .seconds(600) }, isTimed: true))
    func `there is no motion for those who want none`() async throws {
      try await browser.prefer("light")
      try await site.openLive("/itunes", passing: clock)
      try await site.waitFor("#skeleton")
      let running: Int = try await browser.evaluate("document.getAnimations().length")
      #expect(running == 0)
      clock.advance(by: .seconds(600))
    }

    @Test(.site(allowing: ["500"])) func `focus goes on when what had it is gone`() async throws {
      try await site.openLive("/issues")
      try await browser.run("document.querySelector('#idle a').focus()")
      try await browser.type(Key.enter)
      try await site.waitFor("#issues .row")
      #expect(try await browser.focus == "status", "after an example")

      site.sandbox.update { $0.failureRate = 1 }
      try await site.openLive("/itunes?country=fr")
      try await site.waitFor("#failure")
      try await browser.run("document.querySelector('#failure button').focus()")
      try await browser.type(Key.enter)
      try await site.waitFor("#unloaded")
      #expect(try await browser.focus == "status", "after Dismiss")
      site.sandbox.update { $0.failureRate = 0 }
      try await browser.run("document.querySelector('#unloaded a').focus()")
      try await browser.type(Key.enter)
      try await site.waitForRows()
      #expect(try await browser.focus == "status", "after Try again")
    }

    @Test(.site) func `selection is seen in forced colours`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.click("#issues li:first-child .row")
      try await site.waitFor("#picked")
      try await browser.devTools(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "forced-colors", "value": "active"]]])
      for selector in [".row.is-picked", ".links a[aria-current]"] {
        let lines = try await browser.run(
          """
          const style = getComputedStyle(document.querySelector(arguments[0]));
          return [style.borderInlineStartWidth, style.borderBlockEndWidth];
          """, selector, returning: [String].self)
        #expect(lines.contains { $0 != "0px" }, "\(selector)")
      }
      try await browser.devTools(
        "Emulation.setEmulatedMedia", ["features": [["name": "forced-colors", "value": ""]]])
    }

    /// A window of 1280 by 1024 at 400%.
    @Test(
      .site, .serialized,
      arguments: ["/issues?q=apple/swift", "/repositories?language=swift", "/itunes"])
    func `no bar covers much of a small window`(path: String) async throws {
      try await browser.become(width: 320, height: 256)
      try await site.openLive(path)
      try await site.waitFor("#issues .row, #list > li")
      try await browser.run("scrollTo(0, 600)")
      let covered = try await browser.run(
        """
        let most = 0;
        for (const element of document.querySelectorAll("body *")) {
          if (!["fixed", "sticky"].includes(getComputedStyle(element).position)) continue;
          const box = element.getBoundingClientRect();
          const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
          if (box.width > innerWidth / 2) most = Math.max(most, seen);
        }
        return most / innerHeight;
        """, returning: Double.self)
      #expect(covered <= 0.2)
    }

    @Test(.site) func `results are announced`() async throws {
      for path in ["/issues", "/repositories", "/itunes", "/movies/top-rated", "/dogs"] {
        try await site.open(path)
        #expect(try await browser.attribute("role", of: "#status") == "status", "\(path)")
      }
    }

    /// Checks that axe-core doesn't have: target sizes (WCAG 2.2, 2.5.8), contrast of edges
    /// (1.4.11), the numbers of landmarks, ids, and images without a size.
    private static let inspection = """
      const faults = [];
      const seen = (element) => element.getClientRects().length
        && getComputedStyle(element).visibility !== "hidden";
      const describe = (element) => element.outerHTML.slice(0, 90);
      for (const element of document.querySelectorAll("a, button, input, select, summary")) {
        if (!seen(element)) continue;
        const box = element.getBoundingClientRect();
        const isSmall = box.width < 24 || box.height < 24;
        if (isSmall && getComputedStyle(element).display !== "inline" && !element.matches(".skip"))
          faults.push(`small, ${box.width} x ${box.height}: ` + describe(element));
      }
      for (const image of document.images) {
        if (!image.width || !image.height) faults.push("no size: " + describe(image));
      }
      for (const [selector, count] of [["h1", 1], ["main", 1], ["[aria-current=page]:not(main *)", 1]]) {
        const found = [...document.querySelectorAll(selector)].length;
        const isMissing = document.title.startsWith("Page not found") && selector.includes("aria");
        if (found !== count && !isMissing) faults.push(`${found} of ${selector}`);
      }
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      for (const id of ids) if (ids.filter((one) => one === id).length > 1) faults.push("twice: " + id);

      const parse = (color) => {
        const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
        return { r, g, b, a };
      };
      const over = (top, below) => ({
        r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a),
        b: top.b * top.a + below.b * (1 - top.a), a: 1,
      });
      const light = ({ r, g, b }) => {
        const [x, y, z] = [r, g, b].map((value) => value / 255)
          .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
      };
      const background = (element) => {
        const layers = [];
        for (let one = element; one; one = one.parentElement) {
          const color = parse(getComputedStyle(one).backgroundColor);
          layers.push(color);
          if (color.a === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
      };
      // A control is distinguished by its border, or else by its background (WCAG 2.2, 1.4.11). A
      // control that consists of text only has no edge.
      for (const element of document.querySelectorAll("input, select, textarea, button, .button, .chip")) {
        if (!seen(element) || element.matches(".skip, :disabled, [type=hidden]")) continue;
        const style = getComputedStyle(element);
        const around = background(element.parentElement);
        const hasBorder = parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none";
        const own = parse(hasBorder ? style.borderTopColor : style.backgroundColor);
        if (own.a === 0) continue;
        const [a, b] = [light(over(own, around)), light(around)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 3) faults.push(`edge ${ratio.toFixed(2)}: ` + describe(element));
      }
      for (const element of document.querySelectorAll("[hidden]")) {
        if (getComputedStyle(element).display !== "none") faults.push("not hidden: " + describe(element));
      }
      return faults;
      """
  }
}
