import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite("Connections", .timeLimit(.minutes(1)))
struct ConnectionTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `sixty four requests run at once`(transport: TransportUnderTest) async throws {
    let (allThere, arrived) = (Gate(), Counter())
    try await withTestServer { exchange in
      if arrived.next() == 64 { allThere.open() }
      await allThere.wait()
      try await exchange.respond(200, [], exchange.request.target)
    } _: { server in
      let client = try transport.client(server)
      let responses = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 1...64 {
          group.addTask { try await client.send(Request<String>.get("/\(number)")) }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(responses == Set((1...64).map { "/\($0)" }))
      #expect(server.connections.count == 64)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `nothing is kept of a request that was answered`(
    transport: TransportUnderTest
  ) async throws {
    let isGone = Gate()
    try await withTestServer { server in
      try await send(
        to: server, transport, on: KeptClock(TestClock(), Keepsake(opening: isGone)))
      // A request's time limits hold the clock of its client, which is released.
      await isGone.wait()
      #expect(isGone.isOpen)
    }
  }

  /// The response is larger than the amount that is buffered before the body is read.
  @Test(arguments: TransportUnderTest.allCases)
  func `nothing is kept of a response that nobody reads to its end`(transport: TransportUnderTest)
    async throws
  {
    let isGone = Gate()
    try await withTestServer {
      try? await $0.respond(404, [], String(repeating: "a", count: 8_000_000))
    } _: { server in
      do {
        let client = try transport.client(server) {
          $0.clock = KeptClock(TestClock(), Keepsake(opening: isGone))
        }
        let error = try await client.failure(of: Request<Void>.get("/"))
        #expect(error.status == .notFound)
      }
      await isGone.wait()
      #expect(isGone.isOpen)
    }
  }

  private func send(
    to server: TestServer, _ transport: TransportUnderTest, on clock: KeptClock
  ) async throws {
    let client = try transport.client(server) {
      $0.clock = clock
      $0.middleware = [Observing { _ in }]
    }
    try await client.send(Request<Void>.get("/"))
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }
}
