import CurlewLive
import Testing

extension BrowserTests {
  @Suite struct SafetyTests {
    /// Expects that no data has become an element or has run as a script.
    private func expectNothingRan() async throws {
      let strange = try await browser.run(
        """
        return document.querySelectorAll(
          "#live script, #live img:not([src^='/images/']), #live b, #live iframe, [onerror], [href^='javascript:']").length
        """, returning: Int.self)
      #expect(strange == 0)
      #expect(try await browser.evaluate("window.__xss === undefined"))
      #expect(try await !browser.title.contains("owned"))
    }

    @Test(.site) func `markup in the address or the field is shown as text`() async throws {
      // Attacks that run if a patch doesn't escape them, and attacks that run if the server
      // doesn't.
      for attack in [
        #"'"><img src=x onerror='window.__xss=1'>"#, #""><script>window.__xss = 1</script>"#,
      ] {
        try await site.openLive()
        try await browser.type(attack, into: "#q")
        try await eventually("the address follows") {
          try await LiveQuery(browser.url.drop { $0 != "?" })["q"] == attack
        }
        try await expectNothingRan()
        try await browser.reload()
        try await site.waitFor("#idle")
        #expect(try await browser.value("#q") == attack)
        try await expectNothingRan()
      }
    }

    @Test(.site) func `control characters in the address do no harm`() async throws {
      try await browser.open(site.origin + "/issues?q=a%00%01%0A%E2%80%A8b%FF&issue=%00")
      try await site.waitFor("#idle")
      try await browser.type("x", into: "#q")
      try await eventually("it goes on working") { try await browser.url.contains("q=") }
    }

    /// The expected violation is reported in the console.
    @Test(.site(allowing: ["Content Security Policy"])) func `code that slips in does not run`()
      async throws
    {
      try await site.openLive()
      try await browser.run(
        """
        const script = document.createElement("script");
        script.textContent = "window.__xss = 1";
        document.body.append(script);
        """)
      #expect(try await browser.evaluate("window.__xss === undefined"))
      let lines = try await browser.console()
      #expect(lines.contains { $0.message.contains("Content Security Policy") })
    }
  }
}
