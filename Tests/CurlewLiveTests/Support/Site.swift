import AsyncHTTPClient
import CurlewLive
import CurlewScreens
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import Testing

/// Returns an application with one live page and no logging.
func site<Page: LivePage>(
  _ page: Page, visitors: LiveVisitors<Page.Visitor, BasicRequestContext> = anyone(),
  limits: LiveLimits = LiveLimits(),
  clock: any Clock<Duration> = ContinuousClock(), writes: PendingWork = PendingWork(),
  server: HTTPServerBuilder = .live(), key: SigningKey = .random(),
  texts: [UserTexts] = [], inspector: LiveInspector? = nil
) -> some ApplicationProtocol {
  let router = Router()
  router.add(LiveAsset.script)
  if let inspector { router.add(inspector) }
  router.add(
    page, visitors: visitors, limits: limits, clock: clock, key: key, texts: texts, writes: writes,
    inspector: inspector
  ) { document in
    let slots = document.slots.sorted { $0.key < $1.key }.map { name, markup in
      "<i data-live-slot=\"\(name)\">\(markup.text)</i>"
    }
    return HTML(
      trusted:
        "<!doctype html><html lang=\"\(document.language)\"><head><title>\(document.title)</title>\(document.head.text)"
        + "</head><body>\(slots.joined())\(document.content.text)</body></html>")
  }
  return Application(
    router: router, server: server,
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

/// Returns the visitors of a page that does not ask who visits it; other pages refuse them.
func anyone<Visitor>() -> LiveVisitors<Visitor, BasicRequestContext> {
  LiveVisitors(id: { _ in "" }) { _, _ in
    guard let anyone = Anyone() as? Visitor else { throw LiveRefusal.unauthorized }
    return anyone
  }
}

/// Runs a body with a site on loopback, and shuts it down.
///
/// The server stops while the body's streams may still be open. A stream that does not end then makes the test hang.
func withServer<Page: LivePage, Value: Sendable>(
  _ page: Page, visitors: LiveVisitors<Page.Visitor, BasicRequestContext> = anyone(),
  limits: LiveLimits = LiveLimits(),
  clock: any Clock<Duration> = ContinuousClock(), writes: PendingWork = PendingWork(),
  server: HTTPServerBuilder = .live(), key: SigningKey = .random(),
  texts: [UserTexts] = [], inspector: LiveInspector? = nil,
  _ body: @Sendable (Visitor) async throws -> Value
) async throws -> Value {
  let site = site(
    page, visitors: visitors, limits: limits, clock: clock, writes: writes, server: server,
    key: key,
    texts: texts, inspector: inspector)
  return try await site.test(.live) { client in
    try await body(Visitor(origin: "http://localhost:\(client.port ?? 0)"))
  }
}

/// A simulated browser with the script.
struct Visitor: Sendable {
  let origin: String
  var client = anyRatio

  /// Loads the page and returns its session.
  func draw() async throws -> String { try await open("/notes").session }

  /// Returns a document as received.
  func document(
    _ path: String = "/notes", _ fields: [(String, String)] = []
  ) async throws -> String {
    var request = HTTPClientRequest(url: origin + path)
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    let response = try await client.execute(request, timeout: .minutes(3))
    return String(buffer: try await response.body.collect(upTo: 1 << 20))
  }

  /// Opens a page; returns its session and its content.
  func open(_ path: String) async throws -> (session: String, shown: EventStream.State) {
    let page = try await document(path)
    let root = page.firstMatch(of: #/data-live-version="(\d+)">(.*)<\/div><\/body>/#)
    let shown = EventStream.State(
      html: root.map { Document(String($0.2)).markup } ?? "", url: path,
      version: root.flatMap { Int($0.1) } ?? 0)
    return (CurlewLiveTests.session(drawnIn: page) ?? "", shown)
  }

  /// Opens a stream of updates: for an existing session, or for a new session at an address.
  func listen(
    session: String? = nil, shown: EventStream.State = .init(), address: String = "",
    path: String = "/notes", tab: String = tab, version: String? = nil,
    fields: [(String, String)] = []
  ) async throws -> EventStream {
    let query: LiveQuery = ["address": address]
    var request = HTTPClientRequest(url: "\(origin)\(path)/live\(query.text)")
    request.headers.add(name: "Live-Tab", value: tab)
    request.headers.add(name: "Live-Version", value: version ?? "\(shown.version)")
    if let session { request.headers.add(name: "Live-Session", value: session) }
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    let response = try await client.execute(request, timeout: .minutes(3))
    return EventStream(status: Int(response.status.code), response.body, shown: shown)
  }

  /// Opens a stream like ``listen``, and returns its session once it is in use: the response's head comes before.
  func connect(
    session: String? = nil, shown: EventStream.State = .init(), address: String = "",
    path: String = "/notes", tab: String = tab, version: String? = nil,
    fields: [(String, String)] = []
  ) async throws -> (stream: EventStream, session: String) {
    let stream = try await listen(
      session: session, shown: shown, address: address, path: path, tab: tab, version: version,
      fields: fields)
    return (stream, try await stream.hello())
  }

  /// Opens a connection and sends a request verbatim.
  func wire(_ request: String) async throws -> Wire {
    let wire = try await Wire(port: port)
    try await wire.send(request)
    return wire
  }

  var port: Int { Int(origin.split(separator: ":").last ?? "") ?? 0 }

  /// Sends an action and returns the response's status.
  @discardableResult
  func act(
    _ name: String, _ value: String = "", in session: String, number: Int = 1,
    path: String = "/notes", tab: String = tab, fields: [(String, String)] = []
  ) async throws -> Int {
    var request = HTTPClientRequest(url: "\(origin)\(path)/events")
    request.method = .POST
    request.headers.add(name: "Origin", value: origin)
    request.headers.add(name: "Live-Tab", value: tab)
    request.headers.add(name: "Live-Session", value: session)
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    let body = message(name, value, number: number)
    request.body = .bytes(body)
    return Int(try await client.execute(request, timeout: .minutes(3)).status.code)
  }
}

extension Visitor {
  /// Sends an action as a tab whose stream a proxy buffers: the response contains the changes.
  func ask(
    _ name: String, _ value: String = "", number: Int, shown: Int, in session: String,
    path: String = "/notes", fields: [(String, String)] = []
  ) async throws -> (status: Int, update: EventStream.Update?) {
    var request = HTTPClientRequest(url: "\(origin)\(path)/events")
    request.method = .POST
    for (name, value) in [
      ("Origin", origin), ("Live-Tab", tab), ("Live-Session", session),
      ("Live-Version", "\(shown)"),
    ] + fields {
      request.headers.add(name: name, value: value)
    }
    request.body = .bytes(message(name, value, number: number))
    let response = try await client.execute(request, timeout: .minutes(3))
    let body = try await response.body.collect(upTo: 1 << 20)
    let update = try? JSONDecoder().decode(
      EventStream.Update.self, from: Data(body.readableBytesView))
    return (Int(response.status.code), update)
  }
}

/// The name of the only tab of most tests.
let tab = String(repeating: "7a", count: 8)

/// Returns a message as the browser's script sends it.
func message(_ name: String, _ value: String, number: Int = 1) -> ByteBuffer {
  struct Message: Encodable {
    let number: Int
    let name: String
    let value: String
  }
  let message = Message(number: number, name: name, value: value)
  return ByteBuffer(bytes: (try? JSONEncoder().encode(message)) ?? Data())
}

extension TestResponse {
  /// The body as text.
  var text: String { String(buffer: body) }

  /// Loads the page that a form without JavaScript leads to, as a browser does.
  func following(
    as cookie: String? = nil, in client: any TestClientProtocol
  ) async throws -> TestResponse {
    let location = try #require(headers[.location])
    let session = try #require(headers[.setCookie]).prefix { $0 != ";" }
    let cookies = [cookie, String(session)].compactMap(\.self).joined(separator: "; ")
    return try await client.execute(uri: location, method: .get, headers: [.cookie: cookies])
  }

  /// The session in which the page was rendered.
  var session: String? { CurlewLiveTests.session(drawnIn: text) }
}

/// Returns the session that a page names.
private func session(drawnIn page: String) -> String? {
  page.firstMatch(of: #/data-live-session="([0-9a-f]+)"/#).map { String($0.1) }
}

/// A client like `HTTPClient.shared`, but without a limit for the compression ratio of bodies.
private let anyRatio = HTTPClient(
  eventLoopGroupProvider: .singleton, configuration: .init(decompression: .enabled(limit: .none)))
