import Domain
import Sandbox
import Testing

extension BrowserTests {
  /// The form for a new issue.
  @Suite struct NewIssueTests {
    private var posts: Int { site.sandbox.requests.count { $0.method == "POST" } }

    @Test(.site) func `problems are said at their fields`() async throws {
      try await site.openLive("/issues/new")
      #expect(try await browser.text("#repository-problem") == "")
      try await browser.click("form button[type=submit]")
      try await eventually("the first field with a problem has the focus") {
        try await browser.focus == "repository"
      }
      #expect(try await browser.attribute("aria-invalid", of: "#repository") == "true")
      #expect(
        try await browser.attribute("aria-describedby", of: "#repository")
          == "repository-hint repository-problem")
      #expect(try await browser.text("#title-problem") == "Enter a title.")
      #expect(try await browser.text("#body-problem") == "")
      #expect(posts == 0)

      // After the first submission, the problems are updated with each key.
      try await browser.type("apple", into: "#repository")
      try await eventually("it is no name yet") {
        try await browser.text("#repository-problem").hasPrefix("Type a repository as")
      }
      try await browser.type("/cups")
      try await eventually("it is a name") { try await browser.text("#repository-problem") == "" }
      #expect(try await browser.value("#repository") == "apple/cups")
      #expect(try await browser.focus == "repository")
    }

    @Test(.site) func `what the server refuses is said at its field`() async throws {
      try await site.openLive("/issues/new")
      try await browser.type("apple/nothing", into: "#repository")
      try await browser.type("A title" + Key.enter, into: "#title")
      try await eventually("there is none (404)") {
        try await browser.text("#repository-problem") == "There is no repository apple/nothing."
      }
      #expect(try await browser.focus == "repository")
      #expect(try await browser.value("#title") == "A title")
      #expect(try await !browser.has("#failure"))

      try await browser.run(
        """
        const set = (id, text) => {
          const field = document.getElementById(id);
          field.value = text;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        };
        set("repository", "apple/cups");
        set("title", "long ".repeat(60));
        """)
      try await browser.click("form button[type=submit]")
      try await eventually("it is too long (422)") {
        try await browser.text("#title-problem")
          == "GitHub reports: title is too long (maximum is 256 characters)."
      }
      #expect(try await browser.focus == "title")
      #expect(posts == 2)
    }

    @Test(.site(sandbox: .init { $0.latency = .milliseconds(300) }))
    func `two clicks open one issue and lead to it`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.run("window.isSameDocument = true")
      try await browser.click("#new")
      try await site.waitFor("#draft")
      try await eventually("it is live") { try await browser.has("[data-live-ready]") }
      #expect(try await browser.value("#repository") == "apple/cups")
      try await browser.type("Ink runs out", into: "#title")
      try await browser.type("# Why\n\n*always*", into: "#body")
      try await browser.run(
        "for (let i = 0; i < 5; i += 1) document.querySelector('form button').click()")
      try await site.waitFor("#picked")
      #expect(try await browser.text("#picked-title") == "Ink runs out")
      #expect(try await browser.has("#picked .body em"))
      #expect(try await browser.text("#issues li:first-child .title") == "Ink runs out")
      #expect(posts == 1)
      #expect(try await browser.evaluate("window.isSameDocument === true"))
    }

    @Test(.site) func `many clicks open one issue however slow the connection`() async throws {
      try await site.openLive("/issues/new?repository=apple/cups")
      // Each action is delayed.
      try await browser.run(
        """
        const send = window.fetch;
        window.fetch = async (url, options) => {
          if (String(url).endsWith("/events")) await new Promise((go) => setTimeout(go, 150));
          return send(url, options);
        };
        """)
      try await browser.type("Ink", into: "#title")
      try await browser.type("runs out", into: "#body")
      try await browser.run(
        """
        let clicks = 0;
        const timer = setInterval(() => {
          document.querySelector("#draft button")?.click();
          clicks += 1;
          if (clicks === 25) clearInterval(timer);
        }, 60);
        """)
      try await site.waitFor("#picked")
      let issues = try await site.trackIssues(.init("apple/cups")!).items
      #expect(issues.count { $0.title == "Ink" } == 1)
      #expect(posts == 1)
    }

    @Test(.site(.plain))
    func `it works without JavaScript`() async throws {
      try await site.open("/issues/new")
      try await browser.type("apple/nothing", into: "#repository")
      try await browser.type("Ink <runs> out", into: "#title")
      try await browser.type("two\nlines", into: "#body")
      try await browser.click("form button[type=submit]")
      try await eventually("there is none") {
        try await browser.text("#repository-problem") == "There is no repository apple/nothing."
      }
      #expect(try await browser.value("#title") == "Ink <runs> out")
      #expect(try await browser.value("#body") == "two\nlines")
      try await browser.run("document.querySelector('#repository').value = ''")
      try await browser.type("apple/cups", into: "#repository")
      try await browser.click("form button[type=submit]")
      try await site.waitFor("#picked")
      #expect(try await browser.text("#picked-title") == "Ink <runs> out")
      #expect(posts == 2)
    }
  }
}
