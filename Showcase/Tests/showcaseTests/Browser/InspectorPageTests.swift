import CurlewLive
import CurlewTesting
import Domain
import Sandbox
import Testing

extension BrowserTests {
  /// The inspector in the showcase.
  @Suite struct InspectorPageTests {
    /// Returns the text of the drawer; empty while it is hidden.
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
      // The drawer stays open on another page, and shows that page's events.
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
        set(4, 5);
        """)
      try await eventually("the sandbox obeys") {
        site.sandbox.visitorOptions.contains { options in
          options.latency == .seconds(1) && options.failureRate == 0.5
            && options.rateLimit == 5 && options.rateWindow == .seconds(60)
        }
      }
      #expect(site.sandbox.options.latency == .zero, "others notice nothing")
      // A scenario sets its own controls, and resets the others.
      try await browser.run(
        """
        const host = document.querySelector("aside[aria-label=Inspector]");
        const buttons = [...host.shadowRoot.querySelectorAll(".scenarios button")];
        buttons.find((button) => button.textContent === "The server is down").click();
        """)
      try await eventually("the server is down") {
        site.sandbox.visitorOptions.contains { options in
          options.latency == usual.latency && options.failureRate == 1
            && options.rateLimit == usual.rateLimit
        }
      }
      #expect(try await drawer().contains("retries with longer and longer waits"))
    }

    @Test(.site(isTimed: true)) func `a slow server is slow for one visitor alone`() async throws {
      try await site.openLive("/issues", passing: clock)
      try await browser.click("[data-live-inspect]")
      try await eventually("there are sliders") { try await drawer().contains("Latency") }
      try await browser.run(
        """
        const { shadowRoot } = document.querySelector("aside[aria-label=Inspector]");
        const [slider] = shadowRoot.querySelectorAll("input[type=range]");
        slider.value = 3000;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        """)
      try await eventually("it is set") { !site.sandbox.visitorOptions.isEmpty }
      try await browser.type("apple/cups" + Key.enter, into: "#q")
      try await eventually("the request is on its way") { site.requests == ["/repos/apple/cups"] }
      // Other visitors get their responses while the clock stands still.
      #expect(try await site.store.topMovies(in: "de", limit: 10).items.count == 10)
      #expect(try await !browser.has("#issues .row"))
      try await eventually("the first visitor's comes later") {
        clock.advance(by: .seconds(3))
        return try await browser.has("#issues .row")
      }
    }

    @Test(.site) func `a server that is killed comes back`() async throws {
      try await open("/issues")
      try await press("Kill the server")
      try await eventually("it is dead") {
        site.sandbox.visitorOptions.contains { $0.outageEnd != nil }
      }
      try await browser.type("apple/cups", into: "#q")
      try await site.waitFor("#failure")
      #expect(try await browser.value("#q") == "apple/cups")
      // The clients of this site don't retry, so the user retries when the server is back.
      try await press("Rate limited")
      try await eventually("it is back") {
        site.sandbox.visitorOptions.allSatisfy { $0.outageEnd == nil }
      }
      try await browser.run("document.querySelector('#failure [data-live-click=retry]').click()")
      try await site.waitForIssues(of: "apple/cups")
    }

    @Test(.site) func `two clicks at once send one request`() async throws {
      try await open("/issues?q=apple/cups&issue=21")
      try await site.waitFor("#change")
      try await press("Two clicks at once")
      try await site.waitFor("#closed")
      #expect(site.sandbox.requests.count { $0.method == "PATCH" } == 1)
    }

    /// Presses the button of a scenario.
    private func press(_ scenario: String) async throws {
      try await eventually("there are scenarios") { try await drawer().contains(scenario) }
      try await browser.run(
        """
        const { shadowRoot } = document.querySelector("aside[aria-label=Inspector]");
        [...shadowRoot.querySelectorAll(".scenarios button")]
          .find((button) => button.textContent === arguments[0]).click();
        """, scenario)
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

    /// Focuses the list in the drawer, as the Tab key does.
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
      // The user focuses another element while the drawer loads.
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
