import CurlewSupport
import CurlewTesting
import Synchronization

@testable import CurlewFleet

/// The way of one server to an engine that several share, with faults.
final class FaultyEngine: FleetEngine {
  enum Fault: CaseIterable, Sendable {
    /// Calls fail.
    case refused
    /// Calls never arrive.
    case silent
    /// Calls arrive, but not their responses.
    case lostResponses
    /// Calls arrive when the fault ends, long after their callers have given up.
    case late
    /// Calls arrive after a while, in time.
    case slow
  }

  private struct State {
    var fault: Fault?
    var losesNews = false
    var held: [Waiter<Void>] = []
    var subscribers: [AsyncStream<FleetEngineEvent>.Continuation] = []
  }

  let base: InProcessEngine
  private let clock: TestClock
  private let onStore: @Sendable (String, FleetWrite, FleetValue) -> Void
  private let state = Mutex(State())

  /// Creates an engine.
  ///
  /// - Parameter onStore: Called with each write that has a version.
  init(
    _ base: InProcessEngine, clock: TestClock,
    onStore: @escaping @Sendable (String, FleetWrite, FleetValue) -> Void
  ) {
    (self.base, self.clock, self.onStore) = (base, clock, onStore)
  }

  var fault: Fault? {
    get { state.withLock { $0.fault } }
    set { setFault(newValue) }
  }

  func setFault(_ fault: Fault?) {
    let (held, subscribers) = state.withLock { state in
      state.fault = fault
      guard fault == nil else {
        return ([Waiter<Void>](), [AsyncStream<FleetEngineEvent>.Continuation]())
      }
      defer { state.held = [] }
      return (state.held, state.subscribers)
    }
    for waiter in held { waiter.resume(with: .success(())) }
    for subscriber in subscribers { subscriber.yield(.connected) }
    // Only a closed connection shows by itself.
    if fault == .refused { send(.lost(.unreachable("refused"))) }
  }

  func setLosesNews(_ loses: Bool) { state.withLock { $0.losesNews = loses } }

  func send(_ event: FleetEngineEvent) {
    for subscriber in state.withLock({ $0.subscribers }) { subscriber.yield(event) }
  }

  private func call<Value: Sendable>(
    _ body: () async throws(FleetError) -> Value
  ) async throws(FleetError) -> Value {
    let (waiter, fault) = (Waiter<Void>(), fault)
    switch fault {
    case nil: return try await body()
    case .slow:
      try? await clock.sleep(for: .milliseconds(40))
      return try await body()
    case .refused: throw .unreachable("refused")
    case .silent, .late:
      state.withLock { $0.held.append(waiter) }
      try? await waiter.value()
      if fault == .late { return try await body() }
    case .lostResponses:
      _ = try? await body()
      state.withLock { $0.held.append(waiter) }
      try? await waiter.value()
    }
    throw .unreachable("lost")
  }

  func value(_ key: String) async throws(FleetError) -> FleetValue {
    try await call { () throws(FleetError) in try await base.value(key) }
  }

  func set(
    _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
    expires: Duration
  ) async throws(FleetError) -> FleetValue {
    let write = FleetWrite(
      id: write, bytes: bytes, ifVersion: ifVersion, lease: lease, expires: expires)
    return try await call { () throws(FleetError) in
      let value = try await base.set(key, write)
      onStore(key, write, value)
      return value
    }
  }

  func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int) {
    try await call { () throws(FleetError) in
      try await base.take(count, of: scope, limit: limit, per: window, for: server)
    }
  }

  func events() -> AsyncStream<FleetEngineEvent> {
    let (stream, continuation) = AsyncStream<FleetEngineEvent>.makeStream()
    let news = base.events()
    let task = WorkExecutor.task(isShared: true) { [weak self] in
      for await event in news {
        let isLost =
          self?.state.withLock { $0.losesNews || $0.fault != nil && $0.fault != .slow } ?? true
        if !isLost { continuation.yield(event) }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    state.withLock { $0.subscribers.append(continuation) }
    return stream
  }
}
