import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Synchronization
import TestSupport
import Testing

@Suite("Each call is a line in the log", .timeLimit(.minutes(1)))
struct LoggingTests {
  private let clock = TestClock()
  private let stub: StubTransport

  init() { stub = StubTransport(clock: clock) }

  private func client(
    _ log: LogStore, at level: Logger.Level = .info,
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      $0.observers = [.logging(log.logger, at: level)]
      configure(&$0)
    }
  }

  @Test func `success is one line`() async throws {
    let log = LogStore(.info)
    let gate = stub.hold(.get, "/item")
    let client = client(log)
    async let item = Initiator.$current.withValue(Initiator("import")) {
      try await client.send(Request<Item>.get("/item", query: ["page": 2, "api_key": "hunter2"]))
    }
    await gate.waitForRequests(1)
    clock.advance(by: .milliseconds(123))
    gate.respond(with: .item)
    _ = try await item

    let line = try #require(log.lines.first)
    #expect(log.lines.count == 1)
    #expect(line.level == .info)
    let url = "https://api.example.com/item?page=2&api_key=***"
    #expect(line.message == "GET \(url) 200 in 0.123 s")
    #expect(line.text("curlew.call")?.first == "#")
    var metadata = line.metadata
    metadata["curlew.call"] = nil
    #expect(
      metadata == [
        "http.request.method": "GET", "url.full": "\(url)", "http.response.status_code": "200",
        "server.address": "api.example.com", "server.port": "443", "curlew.duration": "0.123",
        "curlew.bytes": "13", "curlew.initiator": "import",
      ])
  }

  @Test func `level of success can be chosen`() async throws {
    stub.stub(.get, "/item", with: .item)
    let log = LogStore(.trace)
    _ = try await client(log, at: .trace).send(.item)
    #expect(log.lines.map(\.level) == [.trace])
  }

  final class Reads: CustomStringConvertible, Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    var description: String {
      number.add(1, ordering: .relaxed)
      return "a"
    }
  }

  /// The initiator's text is created on demand, so counting its reads shows whether a line was created.
  @Test(arguments: [(Logger.Level.info, 1), (.notice, 0)])
  func `nothing is made for a level that is off`(level: Logger.Level, reads: Int) async throws {
    stub.stub(.get, "/item", with: .status(.serviceUnavailable), .item)
    let (log, initiator) = (LogStore(level), Reads())
    let client = client(log) { $0.middleware = [.retryingAtOnce()] }
    _ = try await Initiator.$current.withValue(Initiator(initiator, of: Int.self)) {
      try await client.send(.item)
    }
    #expect(initiator.count == reads)
    #expect(log.lines.count == reads)
  }

  @Test(arguments: [
    (StubResponse.status(.notFound), Logger.Level.warning, "404", "status 404"),
    (.json("[]"), .error, "decoding", "expected Item"),
    (
      .failure(Client.TransportFailure(.refused, reason: "no one")), .warning, "connection_refused",
      "no one"
    ),
    (
      .failure(Client.TransportFailure(.untrusted, reason: "bad")), .error, "certificate_untrusted",
      "bad"
    ),
    (.failure(CancellationError()), .debug, "cancelled", ""),
    (.data(Data("<html>".utf8), contentType: "text/html"), .warning, "decoding", ""),
  ])
  func `errors have levels`(
    response: StubResponse, level: Logger.Level, type: String, text: String
  ) async throws {
    stub.stub(.get, "/item", with: response)
    let log = LogStore(.debug)
    _ = await client(log).result(of: .item)
    let line = try #require(log.lines.first)
    #expect(log.lines.count == 1)
    #expect(line.level == level)
    #expect(line.text("error.type") == type)
    let start = "GET https://api.example.com/item "
    let outcome = level == .debug ? "was cancelled after 0.000 s" : "failed in 0.000 s: \(text)"
    #expect(line.message.description.hasPrefix(start + outcome))
  }

  @Test func `request that cannot be sent is a line`() async {
    let log = LogStore(.debug)
    _ = await client(log).result(of: Request<Item>.get("/\("..")"))
    #expect(log.lines.map(\.level) == [.error])
    #expect(log.lines.first?.text("error.type") == "invalid_request")
    #expect(log.lines.first?.text("http.response.status_code") == nil)
  }

  @Test func `retries are counted and shown for debugging`() async throws {
    stub.stub(.get, "/item", with: .status(.serviceUnavailable), .item)
    let log = LogStore(.debug)
    var policy = RetryPolicy()
    policy.random = { 1 }
    let client = client(log) { [policy] in $0.middleware = [.retrying(policy)] }
    async let item = client.send(.item)
    await eventually { log.lines.count == 1 }
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(500))
    _ = try await item
    let start = "GET https://api.example.com/item "
    #expect(
      log.messages == [
        start + "is retried after 0.500 s: status 503", start + "200 in 0.500 s",
      ])
    #expect(log.lines.map(\.level) == [.debug, .info])
    let line = try #require(log.lines.last)
    #expect(line.text("curlew.retries") == "1")
    #expect(line.text("curlew.waited") == "0.500")
    #expect(line.text("http.request.resend_count") == "1")
    #expect(line.text("curlew.call") == log.lines.first?.text("curlew.call"))
  }

  @Test func `redirect is one line`() async throws {
    stub.stub(.get, "/item", with: .status(.found, [.location: "/other"]))
    stub.stub(.get, "/other", with: .item)
    let log = LogStore(.debug)
    _ = try await client(log).send(.item)
    #expect(log.messages == ["GET https://api.example.com/item 200 in 0.000 s"])
    #expect(log.lines.first?.text("http.request.resend_count") == "1")
    #expect(log.lines.first?.text("curlew.retries") == nil)
  }

  @Test func `coalesced call is a line of its own`() async throws {
    let gate = stub.hold(.get, "/item")
    let log = LogStore(.debug)
    let client = client(log) { $0.middleware = [.coalescing] }
    async let first = client.send(.item)
    await gate.waitForRequests(1)
    async let second = client.send(.item)
    await eventually { log.lines.count == 1 }
    gate.respond(with: .item)
    _ = try await (first, second)
    let leader = try #require(log.lines.first { $0.text("http.response.status_code") == "200" })
    let call = try #require(leader.text("curlew.call"))
    #expect(log.messages.first?.hasSuffix("item waits for the response to \(call)") == true)
    let other = try #require(log.lines.first { $0.text("curlew.coalesced") == "true" })
    #expect(other.message == "GET https://api.example.com/item shared a response in 0.000 s")
    #expect(log.lines.count == 3)
  }

  @Test func `stream is a line at its head and at its end`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    let log = LogStore(.debug)
    let response = try await client(log).stream(.get("/stream"))
    let start = "GET https://api.example.com/stream "
    #expect(log.messages == [start + "200, and its body follows"])
    for try await _ in response {}
    #expect(log.messages.last == start + "200 in 0.000 s")
    #expect(log.lines.map(\.level) == [.debug, .info])
    #expect(log.lines.last?.text("curlew.bytes") == "3")
  }

  @Test func `stream that is released ends`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    let log = LogStore(.info)
    _ = try await client(log).stream(.get("/stream"))
    #expect(log.messages == ["GET https://api.example.com/stream 200 in 0.000 s"])
    #expect(log.lines.first?.text("curlew.bytes") == "0")
  }

  @Test func `download is a line`() async throws {
    stub.stub(.get, "/map", with: .data(Data("abcd".utf8)))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let log = LogStore(.info)
    _ = try await client(log).download(.get("/map"), to: file)
    #expect(log.messages == ["GET https://api.example.com/map 200 in 0.000 s"])
    #expect(log.lines.first?.text("curlew.bytes") == "4")
  }

  @Test func `wait for a token is shown for debugging`() async throws {
    let gate = stub.hold(.post, "/token")
    stub.stub(.get, "/item", with: .status(.unauthorized), .item)
    let log = LogStore(.debug)
    let auth = Client(baseURL: "https://auth.example.com") {
      ($0.transport, $0.clock) = (stub, clock)
    }
    let client = client(log) {
      $0.middleware = [
        .bearer(BearerToken(access: Sensitive("old"))) { _ in
          BearerToken(access: Sensitive("\(try await auth.send(Request<Int>.post("/token")))"))
        }
      ]
    }
    async let item = client.send(.item)
    await gate.waitForRequests(1)
    gate.respond(with: .json("4711"))
    _ = try await item
    let start = "GET https://api.example.com/item "
    #expect(log.messages == [start + "waits for a token", start + "200 in 0.000 s"])
  }

  @Test func `servers text stays in its line`() async throws {
    let text = "no\n2026 INFO all is well\u{1B}[2J\u{2028}."
    stub.stub(.get, "/item", with: .failure(Client.TransportFailure(.lost, reason: text)))
    let log = LogStore(.debug)
    _ = await client(log).result(of: .item)
    let message = try #require(log.messages.first)
    #expect(message.hasSuffix("no 2026 INFO all is well [2J ."))
  }
}
