import Curlew
import CurlewTesting
import Domain
import Sandbox
import Testing
import showcase

/// A browser, the showcase's pages, and their sandbox.
struct Site {
  let browser: Browser
  let served: ServedSite

  var server: PageServer { served.server }
  var sandbox: Sandbox { served.sandbox }
  var sources: DataSources { served.sources }
  var origin: String { served.origin }
  var host: any CodeHost { served.host }
  var store: any MovieStore { served.store }
  var catalogue: any MovieCatalogue { served.catalogue }
  var trackIssues: TrackIssues { served.trackIssues }
  /// The paths of the requests to the sandbox's APIs, in order.
  var requests: [String] { served.requests }

  /// Opens a page of the site.
  func open(_ path: String = "/issues") async throws {
    try await browser.open(origin + path)
  }

  /// Opens a page, and waits until it is live.
  func openLive(_ path: String = "/issues") async throws {
    try await open(path)
    try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
  }

  /// Opens the page of a repository's issues, and waits for the issues.
  func openIssues(of name: String) async throws {
    try await openLive("/issues?q=\(name)")
    try await waitForIssues(of: name)
  }

  /// Opens a page that loads slowly while a clock advances, and waits until it is live.
  func openLive(_ path: String, passing time: TestClock) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await open(path) }
      group.addTask {
        while true {
          try await Task.sleep(for: .milliseconds(20))
          time.advance(by: .milliseconds(100))
        }
      }
      try await group.next()
      group.cancelAll()
    }
    try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
  }

  /// Waits for a repository's issues.
  func waitForIssues(of name: String, passing time: TestClock? = nil) async throws {
    try await eventually("the issues of \(name) are there", passing: time) {
      guard try await browser.has("#issues:not(.is-old) .row") else { return false }
      return try await browser.text("#status").contains("in \(name)")
    }
  }

  /// Waits for an element of the page.
  func waitFor(_ selector: String, passing time: TestClock? = nil) async throws {
    try await eventually("there is \(selector)", passing: time) { try await browser.has(selector) }
  }

  /// Waits until the server has received the text of the search field.
  func waitForText(_ text: String) async throws {
    try await eventually("the server has \(text)") {
      try await browser.run(
        "return document.querySelector('#q').defaultValue.trim() === arguments[0]", text,
        returning: Bool.self)
    }
  }

  /// The content of the page at a time.
  struct Moment: Decodable, Sendable, Equatable {
    let status: String
    let isLoading: Bool
    let isFailure: Bool
    let rows: Int
    let value: String
    let caret: Int
    let focus: String
    let scroll: Double
  }

  /// Makes the page record each state from now on.
  func record() async throws {
    try await browser.run(
      """
      window.moments = [];
      addEventListener("live:state", () => {
        const field = document.querySelector("#q");
        moments.push({
          status: document.querySelector("#status").textContent,
          isLoading: document.querySelector(".is-loading") !== null,
          isFailure: document.querySelector("#failure") !== null,
          rows: document.querySelectorAll("#issues .row").length,
          value: field.value, caret: field.selectionStart ?? -1,
          focus: document.activeElement.id, scroll: scrollY,
        });
      });
      """)
  }

  /// Returns the recorded states.
  func recorded() async throws -> [Moment] {
    try await browser.run("return moments", returning: [Moment].self)
  }
}

/// Runs a test with a browser and the site, and stops both; fails the test if the browser's console
/// contains unexpected errors.
///
/// - Parameters:
///   - clock: The clock for the screens and the sandbox's latency, for tests of delays.
///   - cache: The cache of the clients.
func withSite(
  _ browserOptions: Browser.Options = .init(), sandbox options: Sandbox.Options = .init(),
  clock: TestClock? = nil, cache: ResponseCache? = nil, hasAccounts: Bool = false,
  allowing allowed: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Site) async throws -> Void
) async throws {
  let browsers = try #require(DrivenByChrome.browsers)
  try await withServedSite(sandbox: options, clock: clock, cache: cache, hasAccounts: hasAccounts) {
    served in
    try await browsers.withBrowser(browserOptions) { browser in
      try await expectNoErrors(of: browser, allowing: allowed, sourceLocation) {
        try await body(Site(browser: browser, served: served))
      }
    }
  }
}

/// Runs a closure, expects no console errors except the allowed errors, and reports the page's
/// content if the closure throws.
private func expectNoErrors(
  of browser: Browser, allowing allowed: [String], _ sourceLocation: SourceLocation,
  _ body: () async throws -> Void
) async throws {
  do {
    try await body()
  } catch {
    let page = try? await browser.run("return document.body.innerText", returning: String.self)
    Testing.Issue.record(
      "The page at that moment: \(page ?? "none")", sourceLocation: sourceLocation)
    throw error
  }
  let errors = try await browser.console().filter { line in
    line.level == "SEVERE" && !allowed.contains { line.message.contains($0) }
  }
  #expect(errors.isEmpty, "the browser's console", sourceLocation: sourceLocation)
}
