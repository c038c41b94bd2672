import CurlewLive
import CurlewTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension PageProbe {
  /// The maximum time on the clock that a document is waited for.
  private static var timeout: Duration { .seconds(30) }

  /// Opens an address, as the user does in the address bar.
  public func visit(_ address: String) async throws {
    guard await comesNext("visit(\(address.debugDescription))") else { return }
    try await load(address, isNewEntry: true)
  }

  /// Loads the document again; the browser keeps the texts in its fields.
  public func reload() async throws {
    guard await comesNext("reload()") else { return }
    try await loadAgain()
  }

  func loadAgain() async throws {
    let texts = textFields.map { ($0.fieldKey, content(of: $0)) }
    if javaScript { stored[live?.visitor ?? ""] = (address, texts) }
    try await load(address)
  }

  /// Shows and sends the texts that the document's visitor had left in its fields.
  private func restoreTexts() {
    guard let texts = stored.removeValue(forKey: live?.visitor ?? ""), texts.address == address
    else { return }
    for field in textFields {
      guard let text = texts.texts.first(where: { $0.field == field.fieldKey })?.text,
        text != field.markupContent
      else { continue }
      contents[field.identity] = text
      if let name = field.attributes["data-live-input"] { push(name, text, isEdit: true) }
    }
  }

  /// Returns to the address before.
  public func back() async throws {
    guard await comesNext("back()"), history.count > 1 else { return }
    history.removeLast()
    let (page, address) = history[history.count - 1]
    guard let page, live?.path == page, live?.isPlain == false else {
      return try await load(address)
    }
    self.address = address
    live?.moved()
    push("live:navigate", address)
    try await settle()
  }

  /// Loads the document at an address, and follows redirects.
  ///
  /// - Parameters:
  ///   - form: The encoded fields of a form that is posted.
  ///   - isVisit: Whether the page's script loads it.
  ///   - isNewEntry: Whether the document gets a history entry of its own, instead of the current one.
  func load(
    _ address: String, form: String? = nil, isVisit: Bool = false, isNewEntry: Bool = false
  ) async throws {
    guard isOnline else { throw PageFailure.offline(address: address) }
    if isNewEntry { reloadedBuild = nil }
    var (target, form) = (address, form)
    for _ in 0..<20 {
      guard let url = url(of: target), url.host() == "localhost" else {
        // Another site.
        end()
        (self.address, document, title) = (target, PageElement(""), "")
        return record(isNewEntry)
      }
      let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
      target = url.path(percentEncoded: true) + query
      var fields: HTTPFields = [.accept: "text/html"]
      if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
      if isVisit { (fields[.liveVisit], fields[.liveTab]) = ("1", live?.tab) }
      let (head, html) = try await send(form == nil ? .get : .post, target, fields, form ?? "")
      guard (300..<400).contains(head.status.code), let next = head.headerFields[.location] else {
        return try await show(
          html, of: target, head.status, isVisit: isVisit, isNewEntry: isNewEntry)
      }
      // A GET, except after 307 and 308 (RFC 9110 section 15.4).
      if head.status.code < 307 { form = nil }
      target = next
    }
    throw PageFailure.tooManyRedirects(address: address)
  }

  /// Returns the URL of a link or form on the page.
  func url(of address: String) -> URL? {
    let own = self.address.hasPrefix("/") ? self.address : "/"
    return URL(string: address, relativeTo: URL(string: "http://localhost\(own)"))
  }

  private func show(
    _ html: String, of address: String, _ status: HTTPResponse.Status, isVisit: Bool,
    isNewEntry: Bool
  ) async throws {
    end()
    (self.address, self.status, contents, focus) = (address, status, [:], nil)
    document = PageElement(html, scripts: javaScript)
    title = document.text("title") ?? ""
    let refresh = document.attribute("content", of: "meta[http-equiv=refresh]").flatMap { Int($0) }
    reloadTime = refresh.map { clock.now.advanced(by: .seconds($0)) }
    if isVisit { announcements.append(title) }
    announceStatuses(isNewDocument: true)
    if javaScript {
      live = document.matching("[data-live]").first.map { LiveState($0, at: clock.now) }
    }
    record(isNewEntry)
    guard javaScript else { return }
    restoreTexts()
    try await settle()
  }

  /// Stores the address in a new history entry, or in the current one.
  private func record(_ isNewEntry: Bool) {
    if !isNewEntry, !history.isEmpty { history.removeLast() }
    history.append((live?.path, address))
  }

  /// Ends the page that another document replaces.
  private func end() {
    dropStream()
    live = nil
  }

  /// Sends a request, and returns the response when it is complete; the clock advances while nothing else happens.
  func send(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: String = ""
  ) async throws -> (head: HTTPResponse, text: String) {
    let exchange = start(method, target, fields, body)
    let deadline = clock.now.advanced(by: Self.timeout)
    while true {
      executor.drain()
      if exchange.isFinished { break }
      try Task.checkCancellation()
      if clock.sleepers > 0, clock.now < deadline {
        clock.advance(by: .milliseconds(50))
      } else {
        await executor.waitForJob()
      }
    }
    let state = exchange.state.withLock { $0 }
    let head = state.head ?? HTTPResponse(status: .internalServerError)
    for cookie in head.headerFields[values: .setCookie] {
      let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
      let name = String(parts[0].prefix { $0 != "=" })
      let isRemoved = parts.contains { $0.lowercased() == "max-age=0" }
      cookies[name] = isRemoved ? nil : String(parts[0])
    }
    return (head, String(buffer: state.body))
  }

  /// Starts a request with the header fields that browsers add.
  func start(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: String = ""
  ) -> Exchange {
    var all = headerFields
    for field in fields { all[field.name] = field.value }
    let cookies = headerFields[values: .cookie] + cookies.sorted { $0.key < $1.key }.map(\.value)
    all[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    if method == .post {
      (all[.origin], all[.contentLength]) = ("http://localhost", "\(body.utf8.count)")
    }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: "localhost", path: target, headerFields: all)
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    return Exchange(request, on: executor, respond)
  }
}
