import CurlewSupport
import CurlewTesting
import Synchronization
import Testing

@testable import CurlewFleet

/// Extreme numbers and many calls.
@Suite(.timeLimit(.minutes(1)))
struct FleetLimitTests {
  /// An engine that responds to one call at a time, each millisecond, and grants any number of units.
  private final class SerialEngine: FleetEngine {
    private let clock: TestClock
    private let grant: Int
    private let end = Mutex(Duration.zero)

    init(_ clock: TestClock, grant: Int = 0) { (self.clock, self.grant) = (clock, grant) }

    func value(_ key: String) async throws(FleetError) -> FleetValue {
      let now = clock.now.offset
      let end = end.withLock { end in
        end = max(end, now) + .milliseconds(1)
        return end
      }
      try? await clock.sleep(for: end - now)
      return FleetValue(bytes: [0, 1], version: 1)
    }

    func set(
      _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
      expires: Duration
    ) async throws(FleetError) -> FleetValue { throw .leaseLost }

    func take(
      _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
    ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int) {
      (grant, nil, grant)
    }

    func events() -> AsyncStream<FleetEngineEvent> { AsyncStream { _ in } }
  }

  private let test = TestFleet()

  private func fleet(_ engine: some FleetEngine) -> Fleet {
    WorkExecutor.$current.withValue(test.executor) { Fleet(engine, clock: test.clock) }
  }

  @Test func `A burst of calls is no outage of an engine that responds`() throws {
    let fleet = fleet(SerialEngine(test.clock))
    let calls = (0..<1_000).map { _ in test.start { await fleet.value("key") } }
    test.clock.advance(by: .seconds(2))
    #expect(calls.allSatisfy { (try? $0.result?.get().bytes) == [1] })
    #expect(fleet.metrics.calls == 1_000 && fleet.metrics.failures == 0)
  }

  @Test(arguments: [nil, FaultyEngine.Fault.refused])
  func `Extreme numbers of units are granted or denied`(_ fault: FaultyEngine.Fault?) throws {
    let fleet = test.fleet
    test.engine.fault = fault
    test.executor.drain()
    func take(_ count: Int, limit: Int = 10, per window: Duration = .seconds(60)) throws -> Int {
      try test.run {
        await fleet.take(count, of: "\(limit) \(window)", limit: limit, per: window).count
      }
    }
    #expect(try take(.max, limit: .max) == .max)
    for count in [Int.min, -5, 0] { #expect(try take(count) == 0) }
    for limit in [Int.min, -1, 0] {
      for count in [Int.min, 1, .max] { #expect(try take(count, limit: limit) == 0) }
    }
    for window in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
      #expect(try take(3, per: window) == 3)
    }
    #expect(fleet.metrics.denied == .max)
  }

  @Test(arguments: [(Int.max, 5), (.min, 0), (3, 3)])
  func `Of an engine's grant counts what was asked for`(_ grant: Int, _ count: Int) throws {
    let fleet = fleet(SerialEngine(test.clock, grant: grant))
    for _ in 0..<3 {
      let taken = try test.run { await fleet.take(5, of: "api", limit: .max, per: .seconds(60)) }
      #expect(taken.count == count)
    }
  }
}
