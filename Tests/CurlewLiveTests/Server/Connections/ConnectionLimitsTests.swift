import CurlewLive
import CurlewTesting
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import TestSupport
import Testing

/// How a server treats slow clients and clients with many connections: on real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionLimitsTests {
  private func limits(_ change: (inout LiveServerLimits) -> Void) -> LiveServerLimits {
    var limits = LiveServerLimits()
    change(&limits)
    return limits
  }

  private func withSite<Value: Sendable>(
    _ limits: LiveServerLimits = .init(), hosts: [String]? = nil, proxies: TrustedProxies = .none,
    _ body: @Sendable (_ port: Int) async throws -> Value
  ) async throws -> Value {
    let server = HTTPServerBuilder.live(limits: limits, hosts: hosts, proxies: proxies)
    return try await site(NotesPage(), server: server).test(.live) { try await body($0.port ?? 0) }
  }

  fileprivate static let request = "GET /notes HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private static let head = "HEAD /notes HTTP/1.1\r\nHost: localhost\r\n\r\n"

  fileprivate static func stream(_ fields: String = "") -> String {
    "GET /notes/live?address=/notes HTTP/1.1\r\nHost: localhost\r\nLive-Tab: 0123456789abcdef\r\n"
      + "\(fields)\r\n"
  }

  // MARK: Time

  @Test(arguments: ["", "G", "GET /notes HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
  func `head that does not come ends the connection`(start: String) async throws {
    try await withSite(limits { $0.headerTime = .milliseconds(50) }) { port in
      let wire = try await Wire(port: port)
      if !start.isEmpty { try await wire.send(start) }
      #expect(try await wire.read() == "")
    }
  }

  @Test func `body that does not come ends the connection`() async throws {
    try await withSite(limits { $0.bodyTime = .milliseconds(50) }) { port in
      let wire = try await Wire(port: port)
      try await wire.send(
        "POST /notes/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
          + "Content-Length: 100\r\n\r\n{")
      let response = try await wire.read()
      #expect(response == "" || response.hasPrefix("HTTP/1.1 4"))
    }
  }

  @Test(arguments: [request, head, head + request], ["", "GET /no"])
  func `connection that is not used again ends`(requests: String, start: String) async throws {
    try await withSite(limits { $0.idleTime = .milliseconds(50) }) { port in
      let wire = try await Wire(port: port)
      try await wire.send(requests + start)
      #expect(try await wire.read().hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  @Test func `stream is not ended by the times of requests`() async throws {
    let times = limits {
      ($0.headerTime, $0.idleTime, $0.bodyTime) = (
        .milliseconds(500), .milliseconds(500), .milliseconds(500)
      )
    }
    var pages = LiveLimits()
    pages.heartbeat = .milliseconds(10)
    try await withServer(NotesPage(), limits: pages, server: .live(limits: times)) { visitor in
      let (stream, _) = try await visitor.connect()
      // The stream lasts at least twice as long as any of these time limits.
      var count = 0
      while count < 100, let event = try await stream.next() {
        if event.name == "comment" { count += 1 }
      }
      #expect(count == 100)
    }
  }

  @Test func `reader that stalls is dropped`() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let router = Router()
    router.get("/endless") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          defer { end.finish() }
          let chunk = ByteBuffer(repeating: 7, count: 1 << 16)
          while true { try await writer.write(chunk) }
        })
    }
    let application = Application(
      router: router, server: .live(limits: limits { $0.writeTime = .milliseconds(100) }),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await application.test(.live) { client in
      let wire = try await Wire(port: client.port ?? 0)
      try await wire.send("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
      for await _ in ends {}
      wire.close()
    }
  }

  // MARK: Protocols and chunks

  /// The decoder reads nothing after such a request, so that a second request would have no response.
  @Test(arguments: ["GET", "HEAD", "POST"])
  func `request for another protocol is the last one`(method: String) async throws {
    try await withSite { port in
      let wire = try await Wire(port: port)
      try await wire.send(
        "\(method) /notes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
          + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\nContent-Length: 0\r\n\r\n")
      let response = try await wire.read()
      #expect(response.hasPrefix("HTTP/1.1 \(method == "POST" ? "405" : "200 OK")"))
      #expect(response.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  private func response(toChunks chunks: String, port: Int) async throws -> String {
    let wire = try await Wire(port: port)
    defer { wire.close() }
    try await wire.send(
      "POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n")
    wire.trySend(chunks)
    return try await wire.read(until: "\r\n\r\n")
  }

  @Test(arguments: [
    (String(repeating: "1\r\nx\r\n", count: 900) + "0\r\n\r\n", "405"),
    (String(repeating: "1\r\nx\r\n", count: 2_000), "400"),
    (String(repeating: "64\r\n\(String(repeating: "x", count: 100))\r\n", count: 1_200), "413"),
    ("zz\r\n", "400"), ("1\r\nxx\r\n", "400"), ("1\r\nx\r\n-1\r\n", "400"),
  ])
  func `chunks are few and well-formed`(chunks: String, status: String) async throws {
    try await withSite { port in
      let response = try await response(toChunks: chunks, port: port)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  // MARK: Hosts

  /// Returns the response to a request with any number of Host fields.
  private func response(
    to target: String = "/notes", for hosts: [String], port: Int
  ) async throws -> String {
    let wire = try await Wire(port: port)
    defer { wire.close() }
    let fields = hosts.map { "Host: \($0)\r\n" }.joined()
    try await wire.send("GET \(target) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
    return try await wire.read()
  }

  // `HostNameTests` covers the comparison of names. Targets may have the absolute form, too.
  @Test(arguments: [
    ("/notes", ["LOCALHOST.:8080"], 200), ("/notes", ["127.0.0.1:8091"], 200),
    ("/notes", ["[0::1]:80"], 200), ("http://LOCALHOST:8080/notes", ["localhost:8080"], 200),
    ("/notes", ["evil.example"], 421), ("/notes", ["localhost@evil.com"], 400),
    ("/notes", [], 400), ("/notes", ["localhost", "evil.com"], 400),
    ("http://evil.com/notes", ["localhost"], 400), ("http://localhost/notes", ["evil.com"], 400),
  ])
  func `only the server's names are served`(target: String, fields: [String], status: Int)
    async throws
  {
    try await withSite(hosts: ["Localhost", "::1", "127.0.0.1"]) { port in
      let response = try await self.response(to: target, for: fields, port: port)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    }
    // A server for any host name still requires exactly one Host field.
    try await withSite { port in
      let response = try await self.response(to: target, for: fields, port: port)
      let isOne = status == 200 || target == "/notes" && fields == ["evil.example"]
      #expect(response.hasPrefix("HTTP/1.1 \(isOne ? 200 : 400) "))
    }
  }

  @Test(
    arguments: ["OPTIONS * HTTP/1.1", "CONNECT localhost:443 HTTP/1.1"],
    ["localhost", "localhost:443"])
  func `target without a path harms nobody`(line: String, host: String) async throws {
    try await withSite(hosts: ["localhost"]) { port in
      let wire = try await Wire(port: port)
      try await wire.send("\(line)\r\nHost: \(host)\r\n\r\n")
      let start = try await wire.read(until: "\r\n\r\n")
      #expect(start == "" || start.hasPrefix("HTTP/1.1 "))
      wire.close()
      let response = try await self.response(for: ["localhost"], port: port)
      #expect(response.hasPrefix("HTTP/1.1 200 "), "others are served")
    }
  }

  @Test(arguments: [[], ["localhost", "evil.example"]])
  func `request without one name is refused`(hosts: [String]) async throws {
    try await withSite(hosts: ["localhost"]) { port in
      let wire = try await Wire(port: port)
      let fields = hosts.map { "Host: \($0)\r\n" }.joined()
      try await wire.send("GET /notes HTTP/1.1\r\n\(fields)\r\n" + Self.request)
      let response = try await wire.read()
      #expect(response.hasPrefix("HTTP/1.1 421 ") || response.hasPrefix("HTTP/1.1 400 "))
      #expect(!response.contains("200 OK"), "what comes after is not read")
    }
  }

  // MARK: Crowds

  /// Returns loopback addresses of this machine for the other clients.
  private static func others(_ count: Int) -> [String] { (2..<2 + count).map { "127.0.0.\($0)" } }

  /// Loads a page, opens its stream and sends an action, as a browser does.
  private func visit(port: Int) async throws {
    let page = try await Wire(port: port)
    try await page.send(Self.request)
    let document = try await page.read(until: "</html>")
    let session = try #require(document.firstMatch(of: #/data-live-session="([0-9a-f]+)"/#)).1
    let stream = try await Wire(port: port)
    try await stream.send(Self.stream("Live-Session: \(session)\r\n"))
    _ = try await stream.read(until: "hello")
    let message = #"{"number":1,"name":"write","value":"tern"}"#
    let action = try await Wire(port: port)
    try await action.send(
      "POST /notes/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        + "Live-Tab: 0123456789abcdef\r\nLive-Session: \(session)\r\n"
        + "Content-Length: \(message.utf8.count)\r\n\r\n\(message)")
    #expect(try await action.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
    #expect(try await stream.read(until: "acknowledged").contains("tern"))
    for wire in [page, stream, action] { wire.close() }
  }

  /// Whether the system supports several loopback addresses, as Linux does.
  private static let hasManyAddresses: Bool = {
    #if os(Linux)
      return true
    #else
      return false
    #endif
  }()

  /// A crowd's opening bytes, addresses and number of connections; `CURLEW_FUZZ` enlarges it.
  struct Crowd: Sendable {
    let opening: String
    let addresses: Int
    let connections: Int

    static let all = [
      Crowd(
        opening: "GET /notes HTTP/1.1\r\nX-Slow: ", addresses: Fuzz.size(5, full: 1),
        connections: Fuzz.size(40, full: 700)),
      Crowd(
        opening: ConnectionLimitsTests.stream(), addresses: Fuzz.size(10, full: 1),
        connections: Fuzz.size(20, full: 2_000)),
      Crowd(
        opening: ConnectionLimitsTests.request, addresses: Fuzz.size(20, full: 100),
        connections: Fuzz.size(10, full: 100)),
    ]
  }

  @Test(
    .enabled(if: hasManyAddresses, "one address of loopback on this system"),
    arguments: Crowd.all)
  func `visitor is served in a crowd`(_ crowd: Crowd) async throws {
    // A browser needs three connections, so the other clients may have a few, too.
    let limits = limits {
      ($0.connections, $0.streams) = (Fuzz.size(100, full: 824), Fuzz.size(75, full: 618))
      ($0.connectionsPerClient, $0.streamsPerClient) = ($0.connections / 4, $0.connections / 4)
    }
    try await withSite(limits) { port in
      var wires: [Wire] = []
      for source in Self.others(crowd.addresses) {
        for _ in 0..<crowd.connections {
          let wire = try await Wire(port: port, from: source)
          wire.trySend(crowd.opening)
          wires.append(wire)
        }
      }
      try await visit(port: port)
      for wire in wires { wire.close() }
    }
  }

  @Test func `visitor is served from the address of an attacker`() async throws {
    let limits = limits { ($0.connections, $0.connectionsPerClient) = (60, 20) }
    try await withSite(limits) { port in
      var slow: [Wire] = []
      for _ in 1...100 { slow.append(try await Wire(port: port)) }
      try await visit(port: port)
      #expect(try await slow[0].read() == "", "the oldest has ended")
      for wire in slow { wire.close() }
    }
  }

  @Test func `clients behind a proxy have streams of their own`() async throws {
    let limits = limits { ($0.connectionsPerClient, $0.streamsPerClient) = (1, 2) }
    try await withSite(limits, proxies: TrustedProxies(["127.0.0.1"])) { port in
      var streams: [Wire] = []
      for client in ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2", "192.0.2.1"] {
        let wire = try await Wire(port: port)
        try await wire.send(Self.stream("X-Forwarded-For: \(client)\r\n"))
        _ = try await wire.read(until: "hello")
        streams.append(wire)
      }
      _ = try await streams[0].read()
      try await visit(port: port)
      for wire in streams { wire.close() }
    }
  }

  @Test func `stream counts for its own client after a HEAD request of another`() async throws {
    let limits = limits { $0.streamsPerClient = 1 }
    try await withSite(limits, proxies: TrustedProxies(["127.0.0.1"])) { port in
      let first = try await Wire(port: port)
      try await first.send(
        "HEAD /notes HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
      _ = try await first.read(until: "\r\n\r\n")
      try await first.send(Self.stream("X-Forwarded-For: 192.0.2.2\r\n"))
      _ = try await first.read(until: "hello")
      let second = try await Wire(port: port)
      try await second.send(Self.stream("X-Forwarded-For: 192.0.2.2\r\n"))
      _ = try await second.read(until: "hello")
      _ = try await first.read()
      second.close()
    }
  }
}
