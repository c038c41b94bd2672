import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// A thousand concurrent requests over real connections to a faulty server, with cancelled callers and expiring tokens.
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
    // The client's requests, limits and tasks all hold its clock.
    await isGone.wait()
    #expect(isGone.isOpen, "something of the client is still there")
    #expect(clock.sleepers == 0)
  }

  /// Runs a storm while its clock advances.
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
    // A task that has read a chunk releases the response after its reader has continued.
    await eventually { traffic.count == 0 }
  }

  /// Advances the clock, a hundred times as fast as real time, but only while all requests wait for it: real network
  /// delays must not count towards limits.
  private static func passTime(on clock: TestClock, _ traffic: Traffic) async {
    while !Task.isCancelled {
      await traffic.standstill()
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(100))
      // Woken tasks may run on another core now, and need real time.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}
