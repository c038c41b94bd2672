import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite("The queue for a host's connections", .timeLimit(.minutes(2)))
struct ConnectionQueueTests {
  /// A custom transport around a transport of Curlew's.
  private struct Wrapper: Transport {
    let base: any Transport

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      try await base.send(request)
    }
  }

  /// A request without a connect limit.
  ///
  /// The server may see it before the client knows that it is connected, so the clock could advance beyond that limit.
  private static let connecting = Request<String>.get("/x").limits { $0.connect = nil }

  /// A host has at most 64 connections; a request that waits for a connection is neither connecting nor awaiting its
  /// first byte.
  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `waiting for a connection counts against the total alone`(
    transport: TransportUnderTest, isWrapped: Bool
  ) async throws {
    let (clock, waits) = (TestClock(), Waits())
    try await withFaultServer { server in
      let gate = server.hold(.get, "/**")
      let client = try transport.client(server) {
        let fresh = transport.freshTransport
        $0.transport = isWrapped ? Wrapper(base: fresh) : fresh
        $0.clock = clock
        $0.limits.firstByte = .seconds(30)
        $0.limits.total = .seconds(3_600)
        $0.observers = [waits]
      }
      var requests = (0..<64).map { _ in Task { await client.result(of: Self.connecting) } }
      await gate.waitForRequests(64)
      requests += (0..<16).map { _ in
        Task { await client.result(of: Request<String>.get("/x")) }
      }
      await eventually { waits.count == 16 }
      clock.advance(by: .seconds(25))
      for _ in 0..<64 { gate.respond(with: .text) }
      // All 64, so that none still waits for its first byte when the clock advances.
      for request in requests[..<64] { #expect(try await request.value.get() == "abcd") }
      await gate.waitForRequests(80)
      // The waiting requests were sent 9 s ago, not 34 s.
      clock.advance(by: .seconds(9))
      for _ in 0..<16 { gate.respond(with: .text) }
      for request in requests[64...] { #expect(try await request.value.get() == "abcd") }
      #expect(waits.count == 0)
    }
  }

  @Test func `client of the callers may have fewer connections`() async throws {
    var configuration = HTTPClient.Configuration.curlew
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
    let http = HTTPClient(configuration: configuration)
    let (clock, waits) = (TestClock(), Waits())
    try await withFaultServer { server in
      let gate = server.hold(.get, "/x")
      let client = Client(baseURL: server.baseURL) {
        $0.transport = AsyncHTTPClientTransport(http, connectionsPerHost: 2)
        $0.clock = clock
        $0.limits.firstByte = nil
        $0.observers = [waits]
      }
      var requests = (0..<2).map { _ in Task { await client.result(of: Self.connecting) } }
      await gate.waitForRequests(2)
      requests += (0..<3).map { _ in
        Task { await client.result(of: Request<String>.get("/x")) }
      }
      await eventually { waits.count == 3 }
      // Longer than the connect limit of any waiting request.
      clock.advance(by: .seconds(20))
      gate.respondToAll(with: .text)
      for request in requests {
        let text = try await request.value.get()
        #expect(text == "abcd")
      }
    }
    try await http.shutdown()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `who waits for a connection can be cancelled and times out`(transport: TransportUnderTest)
    async throws
  {
    let (clock, waits) = (TestClock(), Waits())
    try await withFaultServer { server in
      let gate = server.hold(.get, "/**")
      let client = try transport.client(server) {
        $0.transport = transport.freshTransport
        $0.clock = clock
        $0.limits.firstByte = nil
        $0.limits.total = nil
        $0.observers = [waits]
      }
      let running = (0..<64).map { _ in
        Task { await client.result(of: Request<String>.get("/x")) }
      }
      await gate.waitForRequests(64)
      let cancelled = Task { await client.result(of: Request<String>.get("/x")) }
      await eventually { waits.count == 1 }
      cancelled.cancel()
      #expect(await cancelled.value.failure?.isCancelled == true)
      let hurried = Request<String>.get("/x").limits { $0.total = .seconds(5) }
      let late = Task { await client.result(of: hurried) }
      await eventually { waits.count == 1 }
      clock.advance(by: .seconds(5))
      let failure = try #require(await late.value.failure?.timeoutFailure)
      #expect(failure.limit == .total)
      gate.respondToAll(with: .text)
      for request in running { #expect(try await request.value.get() == "abcd") }
      // Neither the cancelled nor the timed-out request holds a slot.
      let text = try await client.send(Request<String>.get("/x"))
      #expect(text == "abcd")
      #expect(waits.count == 0)
    }
  }

  /// `CURLEW_REQUESTS=2000` enables this test, which uses a client's defaults, and responses after half a second.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["CURLEW_REQUESTS"] != nil),
    arguments: TransportUnderTest.allCases)
  func `many requests at once all succeed`(transport: TransportUnderTest) async throws {
    let count = Int(ProcessInfo.processInfo.environment["CURLEW_REQUESTS"] ?? "") ?? 2_000
    let sockets = Mutex((open: 0, most: 0))
    try await withTestServer { exchange in
      sockets.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
      try await Task.sleep(for: .milliseconds(500))
      sockets.withLock { $0.open -= 1 }
      try await exchange.respond(200, [], "abcd")
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      let start = ContinuousClock.now
      let right = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<count {
          group.addTask { (try? await client.send(Request<String>.get("/\(number)"))) == "abcd" }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(right == count)
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? "?"
      print(
        "\(transport): \(right) of \(count) right in \(ContinuousClock.now - start);",
        "at most \(sockets.withLock { $0.most }) at once; \(peak)")
    }
  }
}
