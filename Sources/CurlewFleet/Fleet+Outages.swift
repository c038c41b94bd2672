import CurlewSupport
import Synchronization

extension Fleet {
  typealias EngineCall<Value: Sendable> =
    @Sendable (any FleetEngine) async throws(FleetError) -> Value

  // MARK: Calls

  /// Calls the engine, whether the caller is cancelled or not; an error of the engine begins an outage.
  func call<Value: Sendable>(
    _ body: @escaping EngineCall<Value>
  ) async throws(FleetError) -> Value {
    await beginCall()
    defer { endCall() }
    guard !state.withLock({ $0.isAway }) else { throw .unreachable("The engine is away.") }
    let result = await result(body)
    if case .failure(let error) = result, error.beginsOutage { beginOutage(error) }
    return try result.get()
  }

  /// Waits while many calls run: a burst may take longer than the time limit, each of its calls must not.
  private func beginCall() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.runningCalls < Self.maxRunningCalls {
          state.runningCalls += 1
          return true
        }
        state.waitingCalls.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func endCall() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.waitingCalls.isEmpty { return state.waitingCalls.removeFirst() }
      state.runningCalls -= 1
      return nil
    }
    next?.resume()
  }

  private static var maxRunningCalls: Int { 64 }

  /// Returns the result of a call, which is counted.
  private func result<Value: Sendable>(
    _ body: @escaping EngineCall<Value>
  ) async -> Result<Value, FleetError> {
    let start = clock.now
    let result = await limitedResult(until: start + options.timeLimit, body)
    let time = clock.now - start
    state.withLock { state in
      if case .failure(let error) = result, error.beginsOutage {
        state.metrics.failures += 1
      } else {
        state.metrics.calls += 1
        state.metrics.latency += time
      }
    }
    return result
  }

  private func limitedResult<Value: Sendable>(
    until deadline: Duration, _ body: @escaping EngineCall<Value>
  ) async -> Result<Value, FleetError> {
    guard !isInProcess else { return await Self.result(engine, body) }
    let response = Mutex<Result<Value, FleetError>?>(nil)
    let timer = WorkExecutor.task { [clock] in try? await clock.sleep(until: deadline) }
    _ = WorkExecutor.task { [engine] in
      let result = await Self.result(engine, body)
      response.withLock { $0 = result }
      timer.cancel()
    }
    await timer.value
    return response.withLock { $0 } ?? .failure(.timeout)
  }

  private static func result<Value: Sendable>(
    _ engine: any FleetEngine, _ body: EngineCall<Value>
  ) async -> Result<Value, FleetError> {
    do throws(FleetError) { return .success(try await body(engine)) } catch {
      return .failure(error)
    }
  }

  /// Sets a value while the engine is away, and tells this server's subscribers.
  func setLocally(
    _ key: String, _ write: FleetWrite, ifVersion: Int64?, wasSent: Bool
  ) throws(FleetError) -> FleetValue {
    let now = clock.now
    do throws(FleetError) {
      let value = try state.withLock { state throws(FleetError) in
        try state.set(key, write, ifVersion: ifVersion, wasSent: wasSent, at: now)
      }
      subscribers.send((key, value.version))
      return opened(value)
    } catch {
      guard case .conflict(let newer) = error else { throw error }
      throw .conflict(opened(newer))
    }
  }

  /// Starts to consume the engine's news and to check at intervals.
  func start() {
    let events = engine.events()
    let consumer = WorkExecutor.task(isShared: true) { [weak self] in
      for await event in events {
        switch event {
        case .changed(let key, let version): self?.subscribers.send((key, version))
        case .connected: self?.subscribers.send(nil)
        case .lost(let error): self?.beginOutage(error)
        }
      }
    }
    let checks = WorkExecutor.task(isShared: true) {
      [weak self, clock, interval = options.checkInterval] in
      while (try? await clock.sleep(until: clock.now + interval)) != nil {
        self?.subscribers.send(nil)
      }
    }
    state.withLock { $0.tasks += [consumer, checks] }
  }

  // MARK: Outages

  private func beginOutage(_ error: FleetError) {
    let isNew = state.withLock { state in
      defer { state.metrics.isConnected = false }
      return !state.isAway
    }
    guard isNew else { return }
    report(.away(error))
    let recovery = WorkExecutor.task(isShared: true) {
      [weak self, clock, start = clock.now, interval = options.retryInterval] in
      while await self?.endOutage(since: start) == false {
        guard (try? await clock.sleep(until: clock.now + interval)) != nil else { return }
      }
    }
    state.withLock { $0.tasks = $0.tasks.prefix(2) + [recovery] }
  }

  /// Stores the local values, and ends the outage; returns whether the engine is back.
  private func endOutage(since start: Duration) async -> Bool {
    // A write, which an engine without memory refuses.
    let probe = FleetWrite(id: Self.randomName(), bytes: [], ifVersion: 0, expires: .zero)
    guard await store("probe", probe) != nil else { return false }
    var dropped = 0
    while let (key, write) = state.withLock({ $0.nextPending(at: clock.now) }) {
      guard let result = await store(key, write) else { return false }
      if state.withLock({ $0.settle(key, write, result) }) { dropped += 1 }
    }
    report(.back(after: clock.now - start, dropped: dropped))
    subscribers.send(nil)
    return true
  }

  /// Stores a value; returns the response, or `nil` if the engine is away.
  private func store(_ key: String, _ write: FleetWrite) async -> Result<FleetValue, FleetError>? {
    let result = await result { engine throws(FleetError) in try await engine.set(key, write) }
    if case .failure(let error) = result, error.beginsOutage { return nil }
    return result
  }
}

extension FleetEngine {
  func set(_ key: String, _ write: FleetWrite) async throws(FleetError) -> FleetValue {
    try await set(
      key, write.bytes, write: write.id, ifVersion: write.ifVersion, lease: write.lease,
      expires: write.expires)
  }
}
