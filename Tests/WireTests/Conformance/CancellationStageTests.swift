import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@Suite("A request can be cancelled at every stage", .timeLimit(.minutes(1)))
struct CancellationStageTests {
  /// Sends a request, cancels it at a stage, and expects a cancellation.
  private func cancel<Value>(
    _ request: Request<Value>, of client: Client, at stage: () async -> Void
  ) async {
    let task = Task { await client.result(of: request) }
    await stage()
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  private static let stages: [(StubResponse, Fault)] = [
    (.text, .silence(after: .nothing)),
    (.text.with(.interim(103), .interim(102)), .silence(after: .head(0))),
    (.text, .silence(after: .head(5))), (.text, .silence(after: .head(9))),
    (.text, .silence(after: .head(15))), (.text, .silence(after: .head(17))),
    (.text, .silence(after: .head(30))),
    (.text, .silence(after: 1)), (.text, .silence(after: 3)),
    (.text.with(.chunked(every: 2)), .silence(after: 3)),
    (.text.with(.closeDelimited), .silence(after: .everything)),
    (.text("oops", status: .internalServerError), .silence(after: 2)),
    (
      .text("who?", status: .unauthorized)
        .with(.headLine("WWW-Authenticate: Basic realm=\"a\"")), .silence(after: 2)
    ),
    (.text("moved", status: .found).with(.headLine("Location: /there")), .silence(after: 2)),
  ]

  /// Cancels a request after a part of its response has arrived; expects that its connection is closed.
  @Test(arguments: TransportUnderTest.allCases, stages)
  func `wait for the rest of a response ends`(
    transport: TransportUnderTest, stage: (response: StubResponse, end: Fault)
  ) async throws {
    let (clock, sent) = (TestClock(), Fault.pause(.seconds(1), after: .nothing))
    try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/x", with: stage.response.with(sent, stage.end))
      let client = try transport.client(server)
      await cancel(.get("/x") as Request<Data>, of: client) {
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
      }
      await server.waitForClosedConnections(1)
      #expect(server.connections.first?.closedBy == .client)
    }
  }

  // MARK: Before the connection

  @Test(arguments: TransportUnderTest.allCases)
  func `wait for a place among requests ends`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      let gate = server.hold(.get, "/first")
      let client = try transport.client(server) { $0.networkMiddleware = [.concurrency(1)] }
      async let first = client.send(Request<String>.get("/first"))
      await gate.waitForRequests(1)
      await cancel(.get("/x") as Request<Data>, of: client) {}
      gate.respond(with: .text)
      #expect(try await first == "abcd")
      #expect(server.requests.map(\.path) == ["/first"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `handshake ends`(transport: TransportUnderTest) async throws {
    let (connected, closed) = (Gate(), Gate())
    // The server accepts the TLS client's hello, and never responds to it.
    let silence: @Sendable (any Channel) throws -> Void = {
      try $0.pipeline.syncOperations.addHandler(Silence(connected, closed))
    }
    try await withFaultServer(prepare: silence) { server in
      let client = Client(baseURL: try BaseURL("https://127.0.0.1:\(server.port)")) {
        $0.transport = transport.transport
      }
      await cancel(.get("/x") as Request<Data>, of: client) { await connected.wait() }
      #expect(server.requests.isEmpty)
    }
  }

  // MARK: Before the response

  @Test(arguments: TransportUnderTest.allCases)
  func `sending of a large body ends`(transport: TransportUnderTest) async throws {
    let (connected, closed) = (Gate(), Gate())
    let silence: @Sendable (any Channel) throws -> Void = {
      try $0.pipeline.syncOperations.addHandler(Silence(connected, closed))
    }
    try await withFaultServer(prepare: silence) { server in
      let client = try transport.client(server)
      let request = Request<Data>.post("/x", body: .data(Data(count: 50_000_000)))
      await cancel(request, of: client) { await connected.wait() }
      await closed.wait()
    }
  }

  // MARK: Within a response

  @Test(arguments: TransportUnderTest.allCases)
  func `wait between head and body ends`(transport: TransportUnderTest) async throws {
    let head = Gate()
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.silence(after: 0)))
      let client = try transport.client(server) {
        $0.middleware = [Observing { _ in head.open() }]
      }
      await cancel(.get("/x") as Request<Data>, of: client) { await head.wait() }
      await server.waitForClosedConnections(1)
    }
  }

  // MARK: Between responses

  @Test(arguments: TransportUnderTest.allCases)
  func `wait for the target of a redirect ends`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: "/there"]))
      server.stub(.get, "/there", with: .text.with(.noResponse))
      let client = try transport.client(server)
      await cancel(.get("/x") as Request<Data>, of: client) { await server.waitForRequests(2) }
      await server.waitForClosedConnections(1)
      #expect(server.requests.map(\.path) == ["/x", "/there"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `wait for a retry ends`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text("later", status: .serviceUnavailable))
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.total = nil
        $0.limits.firstByte = nil
        $0.limits.connect = nil
        $0.limits.idle = nil
        $0.middleware = [.retrying()]
      }
      await cancel(.get("/x") as Request<Data>, of: client) { await clock.waitForSleepers() }
      clock.advance(by: .seconds(100))
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `second try ends`(transport: TransportUnderTest) async throws {
    var policy = RetryPolicy()
    policy.random = { 0 }
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .text("later", status: .serviceUnavailable), .text.with(.noResponse))
      let client = try transport.client(server) { $0.middleware = [.retrying(policy)] }
      await cancel(.get("/x") as Request<Data>, of: client) { await server.waitForRequests(2) }
      await server.waitForClosedConnections(1)
      #expect(server.requests.count == 2)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `wait for a token ends`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      let gate = server.hold(.post, "/token")
      server.stub(.get, "/x", with: .status(.unauthorized), .text)
      let tokens = try transport.client(server)
      let client = try transport.client(server) {
        $0.middleware = [
          .bearer(BearerToken(access: Sensitive("old"))) { _ in
            try await tokens.send(Request<Void>.post("/token"))
            return BearerToken(access: Sensitive("new"))
          }
        ]
      }
      await cancel(.get("/x") as Request<Data>, of: client) { await gate.waitForRequests(1) }
      // The refresh continues; the next request uses its token.
      gate.respond(with: .status(.noContent))
      let text = try await client.send(Request<String>.get("/x"))
      #expect(text == "abcd")
      #expect(server.requests.map(\.path) == ["/x", "/token", "/x"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `one of two that share a transfer ends`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      let gate = server.hold(.get, "/x")
      let client = try transport.client(server) { $0.middleware = [.coalescing] }
      async let other = client.send(Request<String>.get("/x"))
      await gate.waitForRequests(1)
      await cancel(.get("/x") as Request<String>, of: client) {}
      gate.respond(with: .text)
      #expect(try await other == "abcd")
      #expect(server.requests.count == 1)
    }
  }

  // MARK: After the response

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelling after the response harms nobody`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text)
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      for _ in 0..<5 {
        let task = Task { try await client.send(Request<String>.get("/x")) }
        #expect(try await task.value == "abcd")
        task.cancel()
      }
      #expect(server.connections.count == (transport.keepsConnections ? 1 : 5))
    }
  }

  /// Discards all input, and opens gates at the first input and when the connection is closed.
  private final class Silence: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let begins: Gate
    private let ends: Gate

    init(_ begins: Gate, _ ends: Gate) {
      (self.begins, self.ends) = (begins, ends)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { begins.open() }

    func channelInactive(context: ChannelHandlerContext) {
      ends.open()
      context.fireChannelInactive()
    }
  }
}
