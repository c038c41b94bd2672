import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// A thousand requests at once over real connections to a server that misbehaves, with callers who
/// give up and tokens that expire.
///
/// `CURLEW_SEED` tries other seeds, `CURLEW_FUZZ` five times as many.
@Suite("A storm over real connections", .serialized, .timeLimit(.minutes(10)))
struct SocketStormTests {
  private static let seeds = (0..<UInt64(Fuzz.size(4, full: 20))).map { Fuzz.seed(1) &+ $0 }

  @Test(arguments: seeds)
  func `every caller is answered once and nothing is left`(seed: UInt64) async throws {
    let clock = TestClock()
    let sockets = SocketWatch()
    let isGone = Gate()
    try await withFaultServer(clock: clock, prepare: sockets.note) { server in
      let http = HTTPClient(configuration: .curlew)
      try await storm(
        seed, at: server, with: AsyncHTTPClientTransport(http),
        on: KeptClock(clock, Keepsake(opening: isGone)))
      try await http.shutdown()
      await server.waitForClosedConnections(server.connections.count)
      #expect(server.openConnections == 0)
      #expect(server.connections.count > 0)
    }
    #expect(try await sockets.open() == [])
    // Every request, limit and task of the client holds its clock.
    await isGone.wait()
    #expect(isGone.isOpen, "something of the client is still there")
    #expect(clock.sleepers == 0)
  }

  /// Runs a storm while time passes on its clock.
  private func storm(
    _ seed: UInt64, at server: FaultServer, with transport: AsyncHTTPClientTransport,
    on clock: KeptClock
  ) async throws {
    let traffic = Traffic()
    let storm = SocketStorm(seed, traffic)
    server.handle { exchange in try await storm.respond(exchange) }
    let time = Task { await Self.passTime(on: clock.clock, traffic) }
    await storm.run(server, TrackedTransport(transport, traffic), clock)
    time.cancel()
    await time.value
    #expect(traffic.count == 0)
  }

  /// Lets time go on, a hundred times as fast as it does, while everybody waits for just that: what a
  /// real connection takes is time that no limit is to see.
  private static func passTime(on clock: TestClock, _ traffic: Traffic) async {
    while !Task.isCancelled {
      await traffic.standstill()
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(100))
      // Who was woken may run on another core at this moment, and needs real time for what it does.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}
