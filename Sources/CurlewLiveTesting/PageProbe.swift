import CurlewScreens
public import CurlewTesting
import Foundation
public import HTTPTypes
public import Hummingbird

/// A live page in a simulated browser, without a server: it sends the requests of the page's script, or of a browser
/// without JavaScript, to a router, and shows the documents and updates in the responses.
///
/// ```swift
/// let clock = TestClock(executor: TestExecutor())
/// router.add(page, clock: clock) { … }
/// let page = try await PageProbe(router, "/dogs", clock: clock)
/// try await page.type("Name", "akita")
/// try await page.advance(by: .milliseconds(500))
/// #expect(page.rows == ["Akita"])
/// ```
///
/// The screens, and the stubbed clients and stores that they use, run on the clock's executor, and only while a function
/// of the probe runs: each run is the same. While a document is loaded, the clock advances.
public final class PageProbe {
  /// The clock of the router's pages.
  public let clock: TestClock
  /// Whether the browser runs the page's script.
  public let javaScript: Bool
  /// The header fields of each request besides the browser's own, such as `Authorization`.
  public var headerFields: HTTPFields

  /// The status of the response with the document.
  public internal(set) var status = HTTPResponse.Status.ok
  /// The path and query in the address bar, or the URL of another site that the page has led to.
  public internal(set) var address = ""
  /// The title.
  public internal(set) var title = ""
  /// The document.
  public internal(set) var document = PageElement("")
  /// The texts so far that a screen reader announces: new texts in elements with the roles `status` and `alert`, or with
  /// `aria-live`, and the titles of visited pages.
  public internal(set) var announcements: [String] = []

  let executor: TestExecutor
  var respond: Responding
  /// The time at which the connection was lost.
  var offlineSince: TestClock.Instant?
  var isOnline: Bool { offlineSince == nil }
  var losesNextResponse = false
  var cookies: [String: String] = [:]
  var history: [(page: String?, address: String)] = []
  /// The time at which a browser without JavaScript reloads the document.
  var reloadTime: TestClock.Instant?
  /// The contents of fields that the user has changed, by the field's identity.
  var contents: [String: String] = [:]
  /// The identity of the field with the focus.
  var focus: String?
  var live: LiveState?
  /// The texts in the fields of a document that is loaded again, for its visitor only, by the hash of the visitor.
  var stored: [String: (address: String, texts: [(field: String, text: String)])] = [:]
  /// The version of the document that was loaded again, as its stream asked for another one.
  var reloadedBuild: String?
  private var shownStatuses: [String] = []

  /// Opens an address.
  ///
  /// - Parameters:
  ///   - router: The router with the pages, and everything else that they lead to.
  ///   - address: The path and query.
  ///   - clock: The clock that was passed to the router's pages; it needs an executor.
  ///   - javaScript: Whether the browser runs the page's script.
  ///   - headerFields: The header fields of each request besides the browser's own.
  public init<Context: RequestContext>(
    _ router: Router<Context>, _ address: String,
    clock: TestClock = TestClock(executor: TestExecutor()), javaScript: Bool = true,
    headerFields: HTTPFields = [:]
  ) async throws where Context.Source == ApplicationRequestContextSource {
    guard let executor = clock.executor else {
      preconditionFailure(
        "The clock of a PageProbe needs an executor: TestClock(executor: TestExecutor())")
    }
    (self.clock, self.executor, self.javaScript) = (clock, executor, javaScript)
    (self.headerFields, respond) = (headerFields, responder(of: router))
    try await load(address, isNewEntry: true)
  }

  /// Opens the address of a page in another tab.
  init(beside page: PageProbe) async throws {
    (clock, executor, javaScript) = (page.clock, page.executor, page.javaScript)
    (headerFields, respond, cookies) = (page.headerFields, page.respond, page.cookies)
    try await load(page.address, isNewEntry: true)
  }

  deinit { live?.stream?.cancel() }

  // MARK: Reading

  /// The visible text of the document's body.
  public var text: String { document.text("body") ?? document.text }

  /// The texts of the rows: the elements with `data-key`.
  public var rows: [String] { document.texts("[data-key]") }

  /// The contents of the fields by their visible names: the text, the chosen option's text, or "on".
  public var fields: [String: String] {
    let named = controls(Self.fieldSelector).map { field in
      let content = content(of: field)
      let option = field.matching("option").first { $0.value == content }
      return (field.name(in: document), option?.text ?? content)
    }
    return Dictionary(named) { first, second in first.isEmpty ? second : first }
  }

  /// The content of a field, as the browser shows it.
  func content(of field: PageElement) -> String { contents[field.identity] ?? field.markupContent }

  /// Adds the texts that have changed to the announcements.
  ///
  /// - Parameter isNewDocument: Whether the texts are those of a new document, which are not announced.
  func announceStatuses(isNewDocument: Bool = false) {
    let texts = document.matching("[role=status], [role=alert], [aria-live]").map(\.text)
    if !isNewDocument {
      announcements += texts.filter { !$0.isEmpty && !shownStatuses.contains($0) }
    }
    shownStatuses = texts
  }

  // MARK: Time and connection

  /// Advances the clock; without JavaScript, the document is reloaded when it says so.
  public func advance(by duration: Duration) async throws {
    guard await comesNext("advance(by: \(ValueText.code(duration)))") else { return }
    let end = clock.now.advanced(by: duration)
    while let time = reloadTime, time <= end {
      clock.advance(by: clock.now.duration(to: max(time, clock.now)))
      try await loadAgain()
    }
    clock.advance(by: max(.zero, clock.now.duration(to: end)))
    try await settle()
  }

  /// Waits until a condition is true, such as one about the result of work outside of the clock's executor; most tests
  /// need no such wait.
  public func wait(until isTrue: (PageProbe) -> Bool) async throws {
    try await settle()
    while !isTrue(self) {
      try Task.checkCancellation()
      await executor.waitForJob()
      try await settle()
    }
  }

  /// Loses the connection: the stream ends, and actions wait.
  public func disconnect() {
    offlineSince = clock.now
    dropStream()
  }

  /// Loses the connection once the next action has reached the server, with the response to it.
  public func loseNextResponse() { losesNextResponse = true }

  /// Restores the connection; actions that wait are sent.
  public func reconnect() async throws {
    guard await comesNext("reconnect()") else { return }
    try await connectAgain()
  }

  private func connectAgain() async throws {
    (offlineSince, losesNextResponse) = (nil, false)
    try await settle()
  }

  /// Ends the server with all sessions, and connects the page to a new one.
  ///
  /// - Parameter router: The new server's router; its pages need the same clock, and the same key for saved states.
  public func restart<Context: RequestContext>(_ router: Router<Context>) async throws
  where Context.Source == ApplicationRequestContextSource {
    disconnect()
    respond = responder(of: router)
    try await connectAgain()
  }
}
