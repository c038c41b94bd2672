import CurlewSupport
import CurlewTesting
import Synchronization

@testable import CurlewFleet

/// Servers on one engine, whose tasks run in a fixed order.
final class TestFleet: Sendable {
  /// What the engine and the servers did.
  final class Log: Sendable {
    /// The versions of the stored values, by their last byte.
    let stored = Mutex<[UInt8: Set<Int64>]>([:])
    /// The stored writes of each key, by their versions.
    let values = Mutex<[String: [Int64: FleetWrite]]>([:])
    let events = Mutex<[FleetEvent]>([])
  }

  let executor = TestExecutor()
  let clock: TestClock
  let base: InProcessEngine
  let log = Log()
  let engines: [FaultyEngine]
  let servers: [Fleet]

  init(servers count: Int = 1) {
    let (clock, log) = (TestClock(executor: executor), log)
    let base = InProcessEngine(clock: clock)
    let engines = (0..<count).map { _ in
      FaultyEngine(base, clock: clock) { key, write, value in
        // The engine's leases and probes are values, too.
        guard key.hasPrefix("page") || key.hasPrefix("key") else { return }
        if let last = write.bytes?.last {
          log.stored.withLock { _ = $0[last, default: []].insert(value.version) }
        }
        log.values.withLock { $0[key, default: [:]][value.version] = write }
      }
    }
    (self.clock, self.base, self.engines) = (clock, base, engines)
    servers = WorkExecutor.$current.withValue(executor) {
      engines.map { engine in
        Fleet(engine, clock: clock) { event in
          log.events.withLock { $0.append(event) }
        }
      }
    }
    executor.drain()
  }

  var fleet: Fleet { servers[0] }
  var engine: FaultyEngine { engines[0] }
  var events: [FleetEvent] { log.events.withLock { $0 } }

  /// Starts an operation; its result is there once the executor has run it to its end.
  func start<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) -> Outcome<Value> {
    let outcome = Outcome<Value>()
    _ = executor.task {
      do { outcome.result = .success(try await operation()) } catch {
        outcome.result = .failure(error)
      }
    }
    executor.drain()
    return outcome
  }

  /// Runs an operation that ends without time.
  func run<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    guard let result = start(operation).result else { throw FleetError.timeout }
    return try result.get()
  }

  func value(_ key: String, of server: Int = 0) throws -> FleetValue {
    try run { [server = servers[server]] in await server.value(key) }
  }

  @discardableResult
  func set(
    _ key: String, _ bytes: [UInt8]?, ifVersion: Int64? = nil, lease: FleetLease? = nil,
    by server: Int = 0, expires: Duration = .seconds(600)
  ) throws -> FleetValue {
    try run { [server = servers[server]] in
      try await server.set(key, bytes, ifVersion: ifVersion, lease: lease, expires: expires)
    }
  }

  /// Takes units of a limit of 60 a minute.
  func take(_ count: Int, by server: Int = 0) throws -> (count: Int, retryAfter: Duration?) {
    try run { [server = servers[server]] in
      await server.take(count, of: "api", limit: 60, per: .seconds(60))
    }
  }

  /// Takes a lease of 10 s.
  func lease(by server: Int) throws -> FleetLease? {
    try run { [server = servers[server]] in await server.lease("owner", for: .seconds(10)) }
  }

  /// The value in the engine.
  func truth(_ key: String) throws -> FleetValue {
    try run { [base, servers] in servers[0].opened(try await base.value(key)) }
  }
}

final class Outcome<Value: Sendable>: Sendable {
  private let state = Mutex<Result<Value, any Error>?>(nil)

  var result: Result<Value, any Error>? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// The values that a subscriber got.
final class Seen: Sendable {
  private let values = Mutex<[FleetValue]>([])

  var all: [FleetValue] { values.withLock { $0 } }
  func add(_ value: FleetValue) { values.withLock { $0.append(value) } }
}
