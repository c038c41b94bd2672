import Domain
import Foundation
import Testing
import showcase

extension BrowserTests {
  /// The layout of pages with difficult data, measured in a real browser.
  @Suite struct HardLayoutTests {
    private let servers: HardServers

    init() throws { servers = try #require(HardServers()) }

    /// Runs a closure with a browser and the origin of pages with the difficult data.
    private func withPages(_ body: (Browser, _ origin: String) async throws -> Void) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      var sources = DataSources(all: servers)
      sources.kennel = servers
      let server = PageServer(sources)
      try await server.start()
      let origin = "http://127.0.0.1:\(await server.port)"
      let result: Result<Void, any Error>
      do {
        try await browsers.withBrowser(Browser.Options()) { try await body($0, origin) }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await server.stop()
      try result.get()
    }

    private var pages: [(path: String, waitsFor: String)] {
      [
        ("/issues?q=\(servers.name)", "#issues .row"),
        ("/issues?q=\(servers.name)&issue=1000122", "#picked"),
        ("/repositories?language=swift", "#list > li"),
        ("/repositories/\(servers.name)", "#repository"), ("/itunes", "#list > li"),
        ("/movies/top-rated", "#list > li"), ("/movie/7", "#movie"),
        ("/watch?q=\(servers.name)", "#issues .is-new"), ("/watch/board", "#issues .row"),
        ("/?q=d", "#list > li"),
        ("/dogs?q=d", "#list > li"), ("/dogs/x", "#dog"),
        ("/issues/new?repository=\(servers.name)", "#draft"),
      ]
    }

    /// Uses one browser for all pages, because starting a site takes as long as a measurement.
    @Test func `everything fits and can be read when it is old`() async throws {
      try await withPages { browser, origin in
        for (path, selector) in pages {
          try await browser.open(origin + path)
          try await eventually("\(path) is live") { try await browser.has("[data-live-ready]") }
          try await eventually("there is \(selector)") { try await browser.has(selector) }
          try await expectLayout(of: path, in: browser)
        }
      }
    }

    private func expectLayout(of path: String, in browser: Browser) async throws {
      if path.hasPrefix("/issues/new") {
        try await browser.type(HardServers.word + Key.enter, into: "#title")
        try await eventually("it is refused") {
          try await browser.text("#body-problem") == HardServers.word
        }
      }
      // The minimum share of a row for a truncated title, and the maximum height of a row.
      for (width, share, height) in [
        (390, 0.6, 420), (800, 0.8, 80), (1280, 0.8, 80), (1920, 0.8, 80),
      ] {
        try await browser.become(width: width, height: 844)
        let problems = try await browser.run(
          Self.layoutProblems, "\(share)", "\(height)", returning: [String].self)
        #expect(problems == [], "\(path) at \(width)")
      }
      try await browser.run(
        "for (const list of document.querySelectorAll('#list, #issues')) list.classList.add('is-old')"
      )
      for scheme in ["light", "dark"] {
        try await browser.prefer(scheme)
        let problems = try await browser.run(Self.contrastProblems, returning: [String].self)
        #expect(problems == [], "\(path) in \(scheme)")
      }
    }

    /// Elements that are too narrow, too high, truncated, or outside the window.
    private static let layoutProblems = """
      const [share, height] = [...arguments].map(Number);
      const problems = [];
      const overhang = document.documentElement.scrollWidth - innerWidth;
      if (overhang > 0) problems.push(`scrolls sideways by ${overhang}`);
      const name = (one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 20)}`;
      const isShown = (one) => one.checkVisibility() && !one.closest(".skip, .unseen");
      for (const one of document.querySelectorAll("a, button, input, select, summary, .label, .topic")) {
        const box = one.getBoundingClientRect();
        if (!isShown(one)) continue;
        if (box.left < -0.5 || box.right > innerWidth + 0.5) problems.push(`outside: ${name(one)}`);
        if (box.width < 10) problems.push(`${box.width} wide: ${name(one)}`);
      }
      for (const one of document.querySelectorAll(".top a, .top button")) {
        const { height } = one.getBoundingClientRect();
        if (height > 64) problems.push(`${height} high: ${name(one)}`);
      }
      const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const one = text.parentElement;
        if (text.data.trim().length < 40 || !isShown(one) || one.closest("noscript, pre")) continue;
        const column = one.closest(".clamp, p, h1, h2, h3, li, dd, dt, td, label, pre, summary, div") ?? one;
        const { width } = column.getBoundingClientRect();
        if (width < 120) problems.push(`a column of ${width}: ${name(one)}`);
      }
      for (const one of document.querySelectorAll("main *, footer *")) {
        if (!isShown(one) || one.closest("pre, svg, textarea, input")) continue;
        const { overflowX, overflowY } = getComputedStyle(one);
        const isCut = (overflowY === "hidden" && one.scrollHeight > one.clientHeight + 2)
          || (overflowX === "hidden" && one.scrollWidth > one.clientWidth + 2);
        // The full text is in the title, or on the page that a link opens.
        const leadsOn = one.closest("a[href], [title]") ?? one.closest("li")?.querySelector("a[href^='/']");
        if (isCut && !one.title && !leadsOn) {
          problems.push(`cut off: ${name(one)}`);
        }
      }
      for (const row of document.querySelectorAll(".row")) {
        if (!isShown(row)) continue;
        const box = row.getBoundingClientRect();
        const title = row.querySelector(".title");
        const { width } = title.getBoundingClientRect();
        const isCut = title.scrollHeight > title.clientHeight + 2;
        if (isCut && width < share * box.width) problems.push(`title ${width} of ${box.width}`);
        if (box.height > height) problems.push(`${box.height} high: ${name(row)}`);
        for (const label of row.querySelectorAll(".label")) {
          const right = label.getBoundingClientRect().right;
          if (right > box.right) problems.push(`label over the edge: ${name(label)}`);
        }
      }
      return problems;
      """

    /// Texts in lists with a contrast below 4.5 (WCAG 2.2, 1.4.3).
    private static let contrastProblems = """
      const parse = (text) => {
        const parts = (text.match(/[\\d.]+/g) || []).map(Number);
        return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
      };
      const over = (top, alpha, below) => top.map((one, index) => one * alpha + below[index] * (1 - alpha));
      const luminance = (rgb) => {
        const [r, g, b] = rgb.map((one) => {
          const share = one / 255;
          return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const backgroundOf = (one) => {
        if (!one) return [255, 255, 255];
        const { rgb, alpha } = parse(getComputedStyle(one).backgroundColor);
        return alpha === 1 ? rgb : over(rgb.length ? rgb : [0, 0, 0], rgb.length ? alpha : 0, backgroundOf(one.parentElement));
      };
      const opacityOf = (one) => one ? Number(getComputedStyle(one).opacity) * opacityOf(one.parentElement) : 1;
      const problems = [];
      let count = 0;
      for (const list of document.querySelectorAll(".is-old")) {
        const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          const one = text.parentElement;
          if (!text.data.trim() || !one.checkVisibility() || one.closest(".unseen")) continue;
          count += 1;
          const behind = backgroundOf(one);
          const color = parse(getComputedStyle(one).color);
          // Elements with an opacity are blended with the background of the list.
          const opacity = opacityOf(one);
          const ground = backgroundOf(list.parentElement);
          const shown = over(over(color.rgb, color.alpha, behind), opacity, ground);
          const [light, dark] = [luminance(shown), luminance(over(behind, opacity, ground))].sort((a, b) => b - a);
          const contrast = (light + 0.05) / (dark + 0.05);
          if (contrast < 4.5) problems.push(`${contrast.toFixed(2)}: ${one.className} ${text.data.trim().slice(0, 20)}`);
        }
      }
      if (count === 0 && document.querySelector("#list, #issues")) problems.push("no text was measured");
      return [...new Set(problems)].slice(0, 20);
      """
  }
}
