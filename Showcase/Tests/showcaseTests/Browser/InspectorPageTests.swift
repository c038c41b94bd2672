import CurlewLive
import Sandbox
import Testing

extension BrowserTests {
  /// The inspector in the showcase.
  @Suite struct InspectorPageTests {
    /// The text of the drawer; empty while it can't be seen.
    private func drawer() async throws -> String {
      try await browser.run(
        """
        const host = document.querySelector("aside[aria-label=Inspector]");
        return host?.shadowRoot?.querySelector(".drawer:not([hidden])")?.innerText ?? "";
        """, returning: String.self)
    }

    private func open(_ path: String) async throws {
      try await site.openLive(path)
      try await browser.click("[data-live-inspect]")
      try await eventually("the drawer is open") { try await drawer().contains("Inspector") }
    }

    @Test(.site) func `it shows waits requests and states`() async throws {
      try await open("/dogs")
      for key in "great" { try await browser.type("\(key)", into: "#q") }
      try await eventually("the search has finished") {
        let text = try await drawer()
        return ["search", "debounce", "finished in", "new state", "sent to the browser"]
          .allSatisfy { text.contains($0) }
      }
      #expect(try await browser.value("#q") == "great")
      // It stays when another page comes, and shows that one.
      try await browser.click(".links a[href='/itunes']")
      try await eventually("the other page is shown") {
        let text = try await drawer()
        return text.contains("new page") && text.contains("GET")
          && text.contains("/rss/topmovies")
      }
    }

    @Test(.site) func `sliders change the sandbox`() async throws {
      let usual = site.sandbox.options
      try await open("/dogs")
      try await eventually("there are sliders") { try await drawer().contains("Latency") }
      try await browser.run(
        """
        const host = document.querySelector("aside[aria-label=Inspector]");
        const set = (index, value) => {
          const slider = host.shadowRoot.querySelectorAll("input[type=range]")[index];
          slider.value = value;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          slider.dispatchEvent(new Event("change", { bubbles: true }));
        };
        set(0, 1000);
        set(1, 0.5);
        set(3, 5);
        """)
      try await eventually("the sandbox obeys") {
        let options = site.sandbox.options
        return options.latency == .seconds(1) && options.failureRate == 0.5
          && options.rateLimit == 5 && options.rateWindow == .seconds(60)
      }
      // A scenario sets its own, and the others back.
      try await browser.run(
        """
        const host = document.querySelector("aside[aria-label=Inspector]");
        const buttons = [...host.shadowRoot.querySelectorAll(".scenarios button")];
        buttons.find((button) => button.textContent === "The server is down").click();
        """)
      try await eventually("the server is down") {
        let options = site.sandbox.options
        return options.latency == usual.latency && options.failureRate == 1
          && options.rateLimit == usual.rateLimit
      }
    }

    @Test(.site) func `escape closes it and the button has the focus`() async throws {
      try await open("/issues?q=apple/cups&issue=1")
      #expect(try await browser.attribute("aria-expanded", of: "[data-live-inspect]") == "true")
      try await focusTimeline()
      try await browser.type(Key.escape)
      try await eventually("it is closed") { try await !browser.has("aside") }
      #expect(try await browser.evaluate("document.activeElement.matches('[data-live-inspect]')"))
      #expect(try await browser.attribute("aria-expanded", of: "[data-live-inspect]") == "false")
      #expect(try await browser.url.contains("issue=1"), "the page's Escape is another one")
    }

    /// Focuses the drawer's list, as Tab does.
    private func focusTimeline() async throws {
      try await browser.run(
        """
        const host = document.querySelector("aside[aria-label=Inspector]");
        host.shadowRoot.querySelector(".scroll").focus();
        """)
    }

    @Test(.site) func `it takes no focus from the user`() async throws {
      try await open("/dogs")
      #expect(try await browser.focus == "q", "at once, not when the user has gone on")
      try await focusTimeline()
      try await browser.type(Key.escape)
      try await eventually("it is closed") { try await !browser.has("aside") }
      // The user has gone on while it is loaded.
      try await browser.run(
        """
        document.querySelector("[data-live-inspect]").click();
        document.querySelector(".brand").focus();
        """)
      try await eventually("it is open") { try await drawer().contains("Inspector") }
      #expect(try await browser.focus == "A")
    }

    @Test(.site) func `what is open is open after a reload`() async throws {
      try await open("/dogs")
      try await browser.reload()
      try await eventually("it is open") { try await drawer().contains("Inspector") }
    }
  }
}
