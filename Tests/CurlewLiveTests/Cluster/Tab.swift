import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Does what the script does in a tab when servers come and go: it reconnects, sends its kept state, and repeats each
/// action until a response arrives.
final class Tab {
  struct Failed: Error {
    let text: String
  }

  /// Each tab has a stream and sends actions; the client's default limit is eight connections per server.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  private let origin: String
  private let address: String
  private let name = (0..<4).map { _ in String(format: "%08x", UInt32.random(in: 0 ... .max)) }
    .joined()
  private var session = ""
  private var shown = EventStream.State()
  private var number = 0
  private var stream: EventStream?
  var title: String { shown.title }
  /// The number of connections so far.
  private(set) var connections = 0

  init(_ origin: String, room: Int) {
    self.origin = origin
    address = "/draft?room=\(room)"
  }

  /// Loads the document and connects.
  func open() async throws {
    let visitor = Visitor(origin: origin, client: Self.client)
    (session, shown) = try await retrying { [address] in try await visitor.open(address) }
    try await connect()
  }

  /// Sends a text and waits until the matching title arrives.
  func write(_ text: String) async throws {
    number += 1
    while true {
      do {
        try await post(text)
        while !title.hasSuffix(": \(text)") { try await receive() }
        return
      } catch is EventStream.Ended {
        try await connect()
      }
    }
  }

  private func post(_ text: String) async throws {
    var request = HTTPClientRequest(url: "\(origin)/draft/events")
    request.method = .POST
    request.headers = ["Origin": origin, "Live-Tab": name, "Live-Session": session]
    request.body = .bytes(message("write", text, number: number))
    let status = try await retrying { () async throws -> Int in
      let response = try await Self.client.execute(request, timeout: .seconds(20))
      guard response.status.code < 500 else { throw Failed(text: "event: \(response.status)") }
      return Int(response.status.code)
    }
    // The process that now owns the session's name does not know it: the connection is obsolete.
    if status == 404 { throw EventStream.Ended() }
    guard status == 204 else { throw Failed(text: "event: \(status)") }
  }

  /// Reads the next update.
  private func receive() async throws {
    do {
      guard let state = try await stream?.state() else { throw EventStream.Ended() }
      shown = state
    } catch {
      // The tab reconnects after every end of a stream.
      throw EventStream.Ended()
    }
  }

  private func connect() async throws {
    connections += 1
    let fields = [("Live-Kept", shown.kept)].filter { !$0.1.isEmpty }
    let visitor = Visitor(origin: origin, client: Self.client)
    let (stream, session) = try await retrying { [self] in
      let stream = try await visitor.listen(
        session: self.session, shown: shown, address: address, path: "/draft", tab: name,
        fields: fields)
      guard stream.status == 200 else { throw Failed(text: "stream: \(stream.status)") }
      return (stream, try await stream.hello())
    }
    self.stream = stream
    self.session = session
    // A new session starts with a state: the address and the kept text.
    if stream.isNew { try await receive() }
  }

  /// Retries after a lost connection, as long as the test has time.
  private func retrying<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
      try Task.checkCancellation()
      do {
        return try await body()
      } catch {
        await Task.yield()
      }
    }
  }
}
