import CurlewLive
import CurlewScreens
import Sandbox
import Testing

extension BrowserTests {
  /// Going from page to page without loading a document.
  @Suite struct VisitTests {
    private func mark(_ browser: Browser) async throws {
      try await browser.run("window.isSameDocument = true")
    }

    private func isMarked(_ browser: Browser) async throws -> Bool {
      try await browser.run("return window.isSameDocument === true", returning: Bool.self)
    }

    private func focus(_ browser: Browser) async throws -> String {
      try await browser.run("return document.activeElement.textContent", returning: String.self)
    }

    private func waitForPage(_ title: String, _ browser: Browser) async throws {
      try await eventually("\(title) is shown") {
        guard try await browser.has("[data-live-ready]") else { return false }
        return try await browser.text("h1") == title
      }
    }

    @Test func aLinkShowsAPageWithoutLoadingTheDocument() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        try await mark(browser)
        try await browser.click(".links a[href='/repositories']")
        try await waitForPage("Repositories", browser)
        // Where the address leads on to.
        #expect(try await browser.url.hasPrefix(site.origin + "/repositories"))
        #expect(try await browser.title.contains("Repositories"))
        #expect(try await isMarked(browser))
        #expect(try await focus(browser) == "Repositories", "the heading has the focus")
        #expect(
          try await browser.run(
            "return document.querySelector('[data-live-announcer]').textContent === document.title",
            returning: Bool.self), "and the title is announced")
        #expect(
          try await browser.attribute("aria-current", of: ".links a[href='/repositories']")
            == "page")
        #expect(try await browser.attribute("aria-current", of: ".links a[href='/dogs']") == nil)

        // The new page is live.
        try await browser.click(".links a[href='/dogs']")
        try await waitForPage("Dogs", browser)
        try await browser.type("shiba", into: "#q")
        try await eventually("it finds") { try await browser.has("#list li") }
        #expect(try await isMarked(browser))
      }
    }

    @Test func backReturnsToThePageAndToItsPlace() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/movies")
        try await site.waitFor("#list li:nth-child(20)")
        try await mark(browser)
        try await browser.run(
          "scrollTo(0, 700); document.querySelector('#list li:nth-child(12) a').focus()")
        let title = try await browser.text("#list li:nth-child(12) h2")
        let place = try await browser.run("return scrollY", returning: Double.self)
        try await browser.run("document.querySelector('#list li:nth-child(12) a').click()")
        try await eventually("the movie is there") { try await browser.text("h1") == title }
        #expect(try await browser.run("return scrollY", returning: Double.self) == 0)

        try await browser.back()
        try await waitForPage("Movies", browser)
        try await eventually("at its place") {
          try await browser.run("return scrollY", returning: Double.self) == place
        }
        #expect(try await focus(browser).contains(title), "the link has the focus again")
        try await browser.forward()
        try await eventually("the movie is there") { try await browser.text("h1") == title }
        #expect(try await isMarked(browser))
      }
    }

    @Test func theHistoryOfAPageIsTheScreensOwn() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
        try await browser.click("#issues li:nth-child(2) .row")
        try await site.waitFor("#picked")
        try await browser.click(".links a[href='/dogs']")
        try await waitForPage("Dogs", browser)
        try await browser.back()
        try await site.waitFor("#picked")
        try await browser.back()
        try await eventually("it is closed") { try await !browser.has("#picked") }
        #expect(try await browser.url == site.origin + "/issues?q=apple/cups")
      }
    }

    @Test func backPassesOverALinkWithinThePage() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
        try await browser.run("document.querySelector('.skip').click()")
        try await eventually("it is there") { try await browser.url.hasSuffix("#live") }
        try await browser.click(".links a[href='/dogs']")
        try await waitForPage("Dogs", browser)
        try await browser.back()
        try await site.waitForIssues(of: "apple/cups")
        #expect(try await browser.url == site.origin + "/issues?q=apple/cups#live")
      }
    }

    @Test func whatWasTypedIsThereAgainAfterBack() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues/new")
        try await browser.type("Ink", into: "#title")
        try await browser.type("runs\nout", into: "#body")
        try await browser.click(".links a[href='/dogs']")
        try await waitForPage("Dogs", browser)
        try await browser.back()
        try await waitForPage("New issue", browser)
        #expect(try await browser.value("#title") == "Ink")
        #expect(try await browser.value("#body") == "runs\nout")
        // The screen has it, too.
        try await browser.type("apple/cups", into: "#repository")
        try await browser.click("form button[type=submit]")
        try await site.waitFor("#picked")
        #expect(try await browser.text("#picked-title") == "Ink")
      }
    }

    @Test func backReturnsToThePlaceInANewerStateOfAPage() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues")
        try await browser.type("apple/swift", into: "#q")
        try await site.waitForIssues(of: "apple/swift")
        try await browser.run("scrollTo(0, 500)")
        try await browser.run("document.querySelector(\"#new\").click()")
        try await waitForPage("New issue", browser)
        try await browser.back()
        try await eventually("at its place") {
          try await browser.run("return scrollY", returning: Double.self) == 500
        }
      }
    }

    @Test func theNewestOfSeveralClicksWins() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        try await browser.run(
          """
          for (const path of ["/issues", "/repositories", "/watch"]) {
            document.querySelector(`.links a[href='${path}']`).click();
          }
          """)
        try await eventually("the last one is shown") {
          try await browser.url == site.origin + "/watch"
        }
        try await eventually("and live") { try await browser.has("[data-live='/watch']") }
        #expect(try await browser.all("#live").count == 1)
        try await browser.back()
        try await waitForPage("Dogs", browser)
      }
    }

    @Test func whatIsNoLivePageIsLoaded() async throws {
      try await withSite(allowing: ["404"]) { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        try await mark(browser)
        try await browser.run(
          """
          const link = document.createElement("a");
          link.href = "/nowhere";
          document.querySelector("main").append(link);
          link.click();
          """)
        try await eventually("it is missing") { try await browser.title == "No such page" }
        #expect(try await !isMarked(browser))
        try await browser.back()
        try await waitForPage("Dogs", browser)
      }
    }

    @Test(arguments: ["target=_blank", "download", "href=#status"])
    func otherLinksAreTheBrowsers(attribute: String) async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        let isTaken = try await browser.run(
          """
          const [name, value = ""] = arguments[0].split("=");
          const link = document.createElement("a");
          link.href = "/issues";
          link.setAttribute(name, value);
          document.querySelector("main").append(link);
          let isTaken = false;
          addEventListener("click", (event) => {
            isTaken = event.defaultPrevented;
            event.preventDefault();
          });
          link.click();
          return isTaken;
          """, attribute, returning: Bool.self)
        #expect(!isTaken)
      }
    }

    @Test func aPageThatTakesLongIsShownAtOnce() async throws {
      try await withSite(sandbox: .init(latency: .seconds(3))) { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        let began = ContinuousClock.now
        try await browser.click(".links a[href='/itunes']")
        try await eventually("it says that it loads") { try await browser.has("#skeleton") }
        #expect(ContinuousClock.now - began < .seconds(3))
        try site.sandbox.update { $0.latency = .zero }
        try await site.waitFor("#list li")
      }
    }

    // MARK: Keys

    @Test func aSlashGoesToTheSearchUnlessItIsSwitchedOff() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/dogs")
        let focused = {
          try await browser.run("return document.activeElement.id", returning: String.self)
        }
        try await browser.type("/")
        #expect(try await focused() == "q")
        try await browser.type("a/b")
        #expect(try await browser.value("#q") == "a/b", "what is typed is text")

        #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "true")
        try await browser.click("[data-live-keys]")
        #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "false")
        try await browser.type("/")
        #expect(try await focused() != "q")
        // On other pages and in other documents, too.
        try await browser.reload()
        try await site.waitFor("[data-live-ready]")
        #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "false")
        try await browser.click("[data-live-keys]")
        try await browser.type("/")
        #expect(try await focused() == "q")
      }
    }

    // MARK: The badge

    @Test func theFrameCountsWhatIsUnread() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
        let badge = { try await browser.text(".badge") }
        let count = try #require(Int(try await badge().prefix { $0.isNumber }))
        #expect(count == (try await browser.all("#issues li").count))
        try await browser.click("#issues li:nth-child(2) .row")
        try await eventually("one less") { try await badge().hasPrefix("\(count - 1)") }
        try await browser.click("#issues li:nth-child(1) .row")
        try await eventually("it looks read") {
          try await browser.has("#issues li:nth-child(2) .row.is-read")
        }
        try await browser.click(".links a[href='/dogs']")
        try await waitForPage("Dogs", browser)
        #expect(try await badge() == "")
      }
    }
  }
}
