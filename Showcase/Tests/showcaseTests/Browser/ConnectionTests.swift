import Testing

extension BrowserTests {
  @Suite struct ConnectionTests {
    /// The console errors that are expected when the test stops the server.
    private static let connectionErrors = ["net::ERR_", "ERR_CONNECTION_REFUSED"]

    @Test(.site(allowing: Self.connectionErrors))
    func `the page survives a restart of the server`() async throws {
      try await site.openLive()
      try await browser.type("apple/cups", into: "#q")
      try await site.waitForIssues(of: "apple/cups")
      let port = await site.server.port
      await site.server.stop()
      try await site.waitFor("[data-live-lost]")
      #expect(try await browser.has("#issues .row"), "the shown rows stay")

      try await site.server.start()
      #expect(await site.server.port == port)
      try await eventually("the page is back") { try await !browser.has("[data-live-lost]") }
      try await site.waitForIssues(of: "apple/cups")
      #expect(try await browser.value("#q") == "apple/cups")
      // The page is interactive.
      try await browser.click("#issues li:first-child .row")
      try await site.waitFor("#picked")
      try await browser.type(String(repeating: Key.backspace, count: 10) + "moya/moya", into: "#q")
      try await site.waitForIssues(of: "moya/moya")
    }

    @Test(.site(allowing: Self.connectionErrors))
    func `lost connection is announced and covers nothing`() async throws {
      try await browser.become(width: 390, height: 844)
      try await site.openIssues(of: "apple/swift")
      #expect(try await browser.attribute("role", of: "[data-live-connection]") == "status")
      await site.server.stop()
      try await site.waitFor("[data-live-connection] [data-live-retry]")
      #expect(try await browser.text("[data-live-connection] p").hasPrefix("Connection lost."))
      let seconds = try await browser.text("[data-live-seconds]")
      #expect(Int(seconds).map { (0...7).contains($0) } == true, "\(seconds)")
      for top in [0, 500] {
        try await browser.run("scrollTo(0, \(top))")
        let overlap = try await browser.run(
          """
          const notice = document.querySelector("[data-live-connection]").getBoundingClientRect();
          const search = document.querySelector(".search").getBoundingClientRect();
          return notice.top >= 0 ? notice.bottom - search.top : 1000;
          """, returning: Double.self)
        #expect(overlap <= 0, "scrolled by \(top)")
      }
      try await site.server.start()
      try await browser.click("[data-live-retry]")
      try await eventually("the page is back") {
        try await !browser.has("[data-live-lost], [data-live-connection] p")
      }
      #expect(try await browser.focus == "status", "the focus is not lost with the button")
    }

    @Test func `a frame without a notice stays lost`() async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await serve(ThousandRowsPage()) { port in
        try await HoldingProxy.run(to: port, .passes) { proxy, origin in
          try await browsers.withBrowser(.init()) { browser in
            try await browser.open(origin + "/rows")
            try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
            try await browser.run(
              """
              window.changes = 0;
              new MutationObserver(() => { changes += 1; window.lost ??= performance.now(); })
                .observe(document.querySelector("#live"), { attributeFilter: ["data-live-lost"] });
              """)
            proxy.become(.hangs)
            try await browser.click("#row-5 a")
            // Longer than the 2 s after which a waiting action is shown as slow.
            try await eventually("the action has waited on", within: .seconds(30)) {
              try await browser.evaluate("performance.now() - (window.lost ?? Infinity) > 3000")
            }
            #expect(try await browser.evaluate("changes") == 1)
            #expect(try await browser.has("[data-live-lost]"))
          }
        }
      }
    }

    @Test(.site) func `a hidden tab gives its connection back and resumes`() async throws {
      try await browser.countConnections()
      try await site.openLive()
      try await browser.type("apple/cups", into: "#q")
      try await site.waitForIssues(of: "apple/cups")
      #expect(try await browser.connections() == 1)
      try await browser.minimize()
      try await eventually("it gave its connection back") { try await browser.connections() == 0 }

      try await browser.resize(1280, 900)
      try await eventually("it is connected again") { try await browser.connections() == 1 }
      try await browser.type(String(repeating: Key.backspace, count: 10) + "moya/moya", into: "#q")
      try await site.waitForIssues(of: "moya/moya")
    }

    @Test(.site(allowing: Self.connectionErrors))
    func `a tab without the focus comes back too after a restart`() async throws {
      var tabs = [try await browser.tab]
      tabs.append(try await browser.newTab())
      for tab in tabs {
        try await browser.select(tab)
        try await browser.countConnections()
        try await site.openLive("/issues?q=apple/cups")
      }
      await site.server.stop()
      // By now, each tab has retried several times, and notified the other tab.
      for tab in tabs {
        try await browser.select(tab)
        try await site.waitFor("[data-live-lost]")
      }
      try await site.server.start()
      for tab in tabs {
        try await browser.select(tab)
        try await eventually("the tab is connected") {
          let isLost = try await browser.has("[data-live-lost]")
          return try await browser.connections() == 1 && !isLost
        }
      }
    }

    @Test(.site, .serialized, arguments: Browser.Frame.allCases)
    func `each of ten responds`(frame: Browser.Frame) async throws {
      let names = [
        "apple/cups", "moya/moya", "apple/swift-nio", "ReactiveX/RxSwift", "vapor/vapor",
        "betamaxpy/betamax", "harborlight/tidewatch", "zwei-linden/brotzeit",
        "gardenmesh/almanac", "north-pier/ferry",
      ]
      var tabs = [try await browser.tab]
      while tabs.count < names.count { tabs.append(try await browser.newTab(frame)) }
      for tab in tabs {
        try await browser.select(tab)
        try await site.open()
      }
      for (tab, name) in zip(tabs, names) {
        try await browser.select(tab)
        try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
        // Enter submits the search without a debounce.
        try await browser.type(name + Key.enter, into: "#q")
        try await site.waitForIssues(of: name)
      }
      // Each page has kept its state and is interactive; in reverse order, from the newest
      // connection to the connection that was closed first.
      for (tab, name) in zip(tabs, names).reversed() {
        try await browser.select(tab)
        #expect(try await browser.text("#status").contains("in \(name)"))
        try await browser.click("#issues li:first-child .row")
        try await site.waitFor("#picked")
      }
    }
  }
}

extension Browser {
  /// Makes each subsequently loaded page record its connections.
  fileprivate func countConnections() async throws {
    let source = """
      window.connections = [];
      const original = window.fetch;
      window.fetch = (url, options) => {
        if (String(url).includes("/live?")) connections.push(options.signal);
        return original(url, options);
      };
      """
    try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": source])
  }

  /// Returns the number of the page's open connections.
  fileprivate func connections() async throws -> Int {
    try await run(
      "return connections.filter((signal) => !signal.aborted).length", returning: Int.self)
  }
}
