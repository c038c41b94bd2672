import CurlewLive
import CurlewTesting
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import TestSupport
import Testing

/// How clients with very many streams affect the other clients: on real sockets.
@Suite(.timeLimit(.minutes(1)))
struct SessionCrowdTests {
  private static let perClient = Fuzz.size(10, full: 250)

  private func withSite<Value: Sendable>(
    _ body: @Sendable (_ port: Int) async throws -> Value
  ) async throws -> Value {
    var limits = LiveLimits()
    (limits.sessions, limits.sessionsPerClient) = (4 * Self.perClient, Self.perClient)
    var server = LiveServerLimits()
    (server.connections, server.streams) = (4_000, 4_000)
    server.streamsPerClient = 4_000
    let site = try site(
      NotesPage(), limits: limits,
      server: .live(limits: server, proxies: TrustedProxies(["127.0.0.1"])))
    return try await site.test(.live) { try await body($0.port ?? 0) }
  }

  private func request(_ path: String, from client: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(client)\r\n"
      + "Live-Tab: \(tab)\r\n\(fields)\r\n"
  }

  /// Opens a stream with its own session.
  private func open(from client: String, port: Int) async throws -> Wire {
    let wire = try await Wire(port: port)
    try await wire.send(request("/notes/live", from: client, "Connection: close\r\n"))
    #expect(try await wire.read(until: "hello").hasPrefix("HTTP/1.1 200 "))
    return wire
  }

  /// Loads a page and returns its session with an open stream.
  private func visit(from client: String, port: Int) async throws -> (session: String, Wire) {
    let page = try await Wire(port: port)
    try await page.send(request("/notes", from: client))
    let document = try await page.read(until: "</html>")
    page.close()
    let session = try #require(document.firstMatch(of: #/data-live-session="([0-9a-f]+)"/#)).1
    let stream = try await Wire(port: port)
    try await stream.send(request("/notes/live", from: client, "Live-Session: \(session)\r\n"))
    let hello = try await stream.read(until: "data: \(session)")
    #expect(hello.contains("data: \(session)") && !hello.contains("\(session) new"))
    return (String(session), stream)
  }

  @Test func `one client's streams leave others their live pages`() async throws {
    try await withSite { port in
      var streams: [Wire] = []
      for _ in 0..<Fuzz.size(60, full: 1_100) {
        guard streams.count == Self.perClient else {
          streams.append(try await open(from: "192.0.2.1", port: port))
          continue
        }
        // The server closes no connected stream instead: its tab would reconnect.
        let wire = try await Wire(port: port)
        try await wire.send(request("/notes/live", from: "192.0.2.1", "Connection: close\r\n"))
        #expect(try await wire.read(until: "\n").hasPrefix("HTTP/1.1 503 "))
        wire.close()
      }
      let (_, stream) = try await visit(from: "192.0.2.2", port: port)
      for wire in streams + [stream] { wire.close() }
    }
  }

  @Test func `clients with their shares make room for one with less`() async throws {
    try await withSite { port in
      var streams: [Wire] = []
      for number in 1...4 {
        for _ in 0..<Self.perClient {
          streams.append(try await open(from: "192.0.2.\(number)", port: port))
        }
      }
      let (session, stream) = try await visit(from: "192.0.2.9", port: port)
      let again = try await Wire(port: port)
      try await again.send(
        request("/notes/live", from: "192.0.2.9", "Live-Session: \(session)\r\n"))
      #expect(try await !again.read(until: "data: \(session)\n").contains(" new"))
      for wire in streams + [stream, again] { wire.close() }
    }
  }
}
