import CurlewLive
import CurlewScreens
import Sandbox
import Testing

extension BrowserTests {
  /// Navigation between pages without loading a document.
  @Suite struct VisitTests {
    private func mark() async throws {
      try await browser.run("window.isSameDocument = true")
    }

    private func isMarked() async throws -> Bool {
      try await browser.evaluate("window.isSameDocument === true")
    }

    private func waitForPage(_ title: String) async throws {
      try await eventually("\(title) is shown") {
        guard try await browser.has("[data-live-ready]") else { return false }
        return try await browser.text("h1") == title
      }
    }

    @Test(.site) func `a link shows a page without loading the document`() async throws {
      try await site.openLive("/dogs")
      try await mark()
      try await browser.click(".links a[href='/repositories']")
      try await waitForPage("Repositories")
      // The final address after a redirect.
      #expect(try await browser.url.hasPrefix(site.origin + "/repositories"))
      #expect(try await browser.title.contains("Repositories"))
      #expect(try await isMarked())
      #expect(try await browser.focusedText == "Repositories", "the heading has the focus")
      #expect(
        try await browser.evaluate(
          "document.querySelector('[data-live-announcer]').textContent === document.title"),
        "and the title is announced")
      #expect(
        try await browser.attribute("aria-current", of: ".links a[href='/repositories']")
          == "page")
      #expect(try await browser.attribute("aria-current", of: ".links a[href='/dogs']") == nil)

      // The new page is live.
      try await browser.click(".links a[href='/dogs']")
      try await waitForPage("Dogs")
      try await browser.type("shiba", into: "#q")
      try await eventually("it finds") { try await browser.has("#list li") }
      #expect(try await isMarked())
    }

    @Test(.site) func `back returns to the page and to its place`() async throws {
      try await site.openLive("/movies")
      try await site.waitFor("#list li:nth-child(20)")
      try await mark()
      try await browser.run(
        "scrollTo(0, 700); document.querySelector('#list li:nth-child(12) a').focus()")
      let title = try await browser.text("#list li:nth-child(12) h2")
      let place: Double = try await browser.evaluate("scrollY")
      try await browser.run("document.querySelector('#list li:nth-child(12) a').click()")
      try await eventually("the movie is there") { try await browser.text("h1") == title }
      #expect(try await browser.evaluate("scrollY") == 0)

      try await browser.back()
      try await waitForPage("Movies")
      try await eventually("at its place") { try await browser.evaluate("scrollY") == place }
      #expect(try await browser.focusedText.contains(title), "the link has the focus again")
      try await browser.forward()
      try await eventually("the movie is there") { try await browser.text("h1") == title }
      #expect(try await isMarked())
    }

    @Test(.site) func `the history of a page is the screen's own`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.click("#issues li:nth-child(2) .row")
      try await site.waitFor("#picked")
      try await browser.click(".links a[href='/dogs']")
      try await waitForPage("Dogs")
      try await browser.back()
      try await site.waitFor("#picked")
      try await browser.back()
      try await site.waitForEnd(of: "#picked")
      #expect(try await browser.url == site.origin + "/issues?q=apple/cups")
    }

    @Test(.site) func `back passes over a link within the page`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.run("document.querySelector('.skip').click()")
      try await eventually("it is there") { try await browser.url.hasSuffix("#live") }
      try await browser.click(".links a[href='/dogs']")
      try await waitForPage("Dogs")
      try await browser.back()
      try await site.waitForIssues(of: "apple/cups")
      #expect(try await browser.url == site.origin + "/issues?q=apple/cups#live")
    }

    @Test(.site) func `what was typed is there again after back`() async throws {
      try await site.openLive("/issues/new")
      try await browser.type("Ink", into: "#title")
      try await browser.type("runs\nout", into: "#body")
      try await browser.click(".links a[href='/dogs']")
      try await waitForPage("Dogs")
      try await browser.back()
      try await waitForPage("New issue")
      #expect(try await browser.value("#title") == "Ink")
      #expect(try await browser.value("#body") == "runs\nout")
      // The screen's state contains the text, too.
      try await browser.type("apple/cups", into: "#repository")
      try await browser.click("form button[type=submit]")
      try await site.waitFor("#picked")
      #expect(try await browser.text("#picked-title") == "Ink")
    }

    @Test(.site) func `back returns to the place in a newer state of a page`() async throws {
      try await site.openLive("/issues")
      try await browser.type("apple/swift", into: "#q")
      try await site.waitForIssues(of: "apple/swift")
      try await browser.run("scrollTo(0, 500)")
      try await browser.run("document.querySelector(\"#new\").click()")
      try await waitForPage("New issue")
      try await browser.back()
      try await eventually("at its place") { try await browser.evaluate("scrollY") == 500 }
    }

    @Test(.site) func `the newest of several clicks wins`() async throws {
      try await site.openLive("/dogs")
      try await browser.run(
        """
        for (const path of ["/issues", "/repositories", "/watch"]) {
          document.querySelector(`.links a[href='${path}']`).click();
        }
        """)
      try await eventually("the last page is shown") {
        try await browser.url == site.origin + "/watch"
      }
      try await eventually("and live") { try await browser.has("[data-live='/watch']") }
      #expect(try await browser.all("#live").count == 1)
      try await browser.back()
      try await waitForPage("Dogs")
    }

    @Test(.site(allowing: ["404"])) func `what is no live page is loaded`() async throws {
      try await site.openLive("/dogs")
      try await mark()
      try await browser.run(
        """
        const link = document.createElement("a");
        link.href = "/nowhere";
        document.querySelector("main").append(link);
        link.click();
        """)
      try await eventually("it is missing") { try await browser.title == "Page not found" }
      #expect(try await !isMarked())
      try await browser.back()
      try await waitForPage("Dogs")
    }

    @Test(.site, arguments: ["target=_blank", "download", "href=#status"])
    func `other links are the browsers`(attribute: String) async throws {
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

    @Test(.site(sandbox: .init { $0.latency = .seconds(3) }))
    func `a page that takes long is shown at once`() async throws {
      try await site.openLive("/dogs")
      let began = ContinuousClock.now
      try await browser.click(".links a[href='/itunes']")
      try await eventually("it says that it loads") { try await browser.has("#skeleton") }
      #expect(ContinuousClock.now - began < .seconds(3))
      site.sandbox.update { $0.latency = .zero }
      try await site.waitFor("#list li")
    }

    // MARK: Keys

    @Test(.site) func `a slash goes to the search unless it is switched off`() async throws {
      try await site.openLive("/dogs")
      try await browser.type("/")
      #expect(try await browser.focus == "q")
      try await browser.type("a/b")
      #expect(try await browser.value("#q") == "a/b", "typed characters are text")

      #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "true")
      try await browser.click("[data-live-keys]")
      #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "false")
      try await browser.type("/")
      #expect(try await browser.focus != "q")
      // The setting also applies on other pages and in other documents.
      try await browser.reload()
      try await site.waitFor("[data-live-ready]")
      #expect(try await browser.attribute("aria-pressed", of: "[data-live-keys]") == "false")
      try await browser.click("[data-live-keys]")
      try await browser.type("/")
      #expect(try await browser.focus == "q")
    }

    @Test(.site) func `an issue looks read once another one is opened`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.click("#issues li:nth-child(2) .row")
      #expect(try await !browser.has("#issues .row.is-read"))
      try await browser.click("#issues li:nth-child(1) .row")
      try await eventually("it looks read") {
        try await browser.has("#issues li:nth-child(2) .row.is-read")
      }
    }
  }
}
