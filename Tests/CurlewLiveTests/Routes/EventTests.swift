import CurlewLive
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventTests {
  /// The server's origin in the router's own test client.
  private let origin = "http://localhost"

  private func post(
    _ body: ByteBuffer, origin: String?, in session: String = "0",
    to client: any TestClientProtocol
  ) async throws -> TestResponse {
    var headers: HTTPFields = [.origin: origin ?? ""]
    if origin == nil { headers[.origin] = nil }
    headers[.liveSession] = session
    headers[.liveTab] = tab
    return try await client.execute(
      uri: "/notes/events", method: .post, headers: headers, body: body)
  }

  private func session(_ client: any TestClientProtocol) async throws -> String {
    try #require(try await client.execute(uri: "/notes", method: .get).session)
  }

  @Test func `an event is taken without a response`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let session = try await session(client)
      let response = try await post(
        message("write", "a"), origin: origin, in: session, to: client)

      #expect(response.status == .noContent)
      #expect(response.headers[.cacheControl] == "no-store")
    }
  }

  @Test(arguments: [
    nil, "http://localhost:1", "https://example.com", "null", "", "http://localhost/",
    "http://localhost:443", "https://localhost:80", "ftp://localhost", "http:localhost",
    "http://a@localhost", "http://localhost:80:80", "http://localhost evil",
  ])
  func `another origin is forbidden`(other: String?) async throws {
    try await site(NotesPage()).test(.router) { client in
      let session = try await session(client)
      let response = try await post(
        message("write", "a"), origin: other, in: session, to: client)

      #expect(response.status == .forbidden)
    }
  }

  @Test(arguments: [
    ("localhost", "http://LOCALHOST:80"), ("localhost", "HTTPS://localhost:443"),
    ("LocalHost:80", "http://localhost"), ("localhost:443", "https://localhost"),
    ("[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080"),
  ])
  func `origins are compared as origins`(host: String, origin: String) async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.draw()
      let body = String(buffer: message("write", "a"))
      let wire = try await visitor.wire(
        "POST /notes/events HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nLive-Tab: \(tab)\r\n"
          + "Live-Session: \(session)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(try await wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
      wire.close()
    }
  }

  @Test(
    arguments: ["", "{}", "[1]", "\u{0}", #"{"number": "1"}"#].map { ByteBuffer(string: $0) }
      + [message("dance", "")])
  func `what is no event is a bad request`(body: ByteBuffer) async throws {
    try await site(NotesPage()).test(.router) { client in
      let session = try await session(client)
      let response = try await post(body, origin: origin, in: session, to: client)

      #expect(response.status == .badRequest)
    }
  }

  @Test func `an unknown session is not found`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let response = try await post(message("write", "a"), origin: origin, to: client)

      #expect(response.status == .notFound)
    }
  }

  @Test func `an event over the size is refused`() async throws {
    var limits = LiveLimits()
    limits.messageSize = 200
    try await site(NotesPage(), limits: limits).test(.router) { client in
      let session = try await session(client)
      let room = 200 - message("write", "").readableBytes
      let most = message("write", String(repeating: "a", count: room))
      let more = message("write", String(repeating: "a", count: room + 1))

      #expect(try await post(most, origin: origin, in: session, to: client).status == .noContent)
      #expect(
        try await post(more, origin: origin, in: session, to: client).status == .contentTooLarge)
    }
  }

  @Test func `the body of an unknown session is not read`() async throws {
    var limits = LiveLimits()
    limits.messageSize = 200
    try await site(NotesPage(), limits: limits).test(.router) { client in
      let body = ByteBuffer(repeating: 0x5B, count: 1_000)
      let response = try await post(body, origin: origin, to: client)
      #expect(response.status == .notFound)
      let other = try await client.execute(
        uri: "/notes/events", method: .post,
        headers: [.origin: origin, .liveSession: session(client), .liveTab: "another"], body: body)
      #expect(other.status == .notFound)
    }
  }

  /// `CURLEW_FUZZ=100000` sets the number of random bodies.
  @Test func `hostile bodies never end the process`() async {
    await #expect(processExitsWith: .success) {
      let tests = EventTests()
      try await site(NotesPage()).test(.router) { client in
        let session = try await tests.session(client)
        for text in HostileJSON.nested + HostileJSON.json5 + HostileJSON.deepest {
          let status = text.count > LiveLimits().messageSize ? 413 : 400
          for (session, status) in [(session, status), ("0", 404)] {
            let response = try await tests.post(
              ByteBuffer(bytes: text), origin: tests.origin, in: session, to: client)
            #expect(response.status.code == status)
          }
        }
        var random = SeededGenerator(seed: Fuzz.seed())
        for _ in 0..<Fuzz.runs(2_000) {
          _ = try await tests.post(
            ByteBuffer(bytes: HostileJSON.noise(&random)), origin: tests.origin, in: session,
            to: client)
        }
      }
    }
  }
}
