import CurlewSupport
import Synchronization

extension Fleet {
  typealias EngineCall<Value: Sendable> =
    @Sendable (any FleetEngine) async throws(FleetError) -> Value

  // MARK: Calls

  /// Calls the engine for at most the time limit, whether the caller is cancelled or not; an error of the engine begins an
  /// outage.
  func call<Value: Sendable>(
    until deadline: Duration? = nil, _ body: @escaping EngineCall<Value>
  ) async throws(FleetError) -> Value {
    guard !state.withLock({ $0.isAway }) else { throw .unreachable("The engine is away.") }
    do throws(FleetError) {
      return try await limited(until: deadline ?? clock.now + options.timeLimit, body)
    } catch {
      if error.beginsOutage { beginOutage(error) }
      throw error
    }
  }

  private func limited<Value: Sendable>(
    until deadline: Duration, _ body: @escaping EngineCall<Value>
  ) async throws(FleetError) -> Value {
    let start = clock.now
    let result: Result<Value, FleetError>
    if let engine = engine as? InProcessEngine {
      result = await Self.result(engine, body)
    } else {
      result = await withCheckedContinuation { continuation in
        let race = Race(continuation)
        let timer = WorkExecutor.task { [clock] in
          try? await clock.sleep(until: deadline)
          race.end(.failure(.timeout))
        }
        _ = WorkExecutor.task { [engine] in
          race.end(await Self.result(engine, body))
          timer.cancel()
        }
      }
    }
    let time = clock.now - start
    state.withLock { state in
      if case .failure(let error) = result, error.beginsOutage {
        state.metrics.failures += 1
      } else {
        state.metrics.calls += 1
        state.metrics.latency += time
        state.metrics.maximumLatency = max(state.metrics.maximumLatency, time)
      }
    }
    return try result.get()
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
    let value: FleetValue
    do throws(FleetError) {
      value = try state.withLock { state throws(FleetError) in
        try state.set(
          key, write, ifVersion: ifVersion, wasSent: wasSent, at: now, maxCount: options.localValues
        )
      }
    } catch {
      guard case .conflict(let newer) = error else { throw error }
      throw .conflict(opened(newer))
    }
    post(FleetNews(key: key, version: value.version))
    return opened(value)
  }

  // MARK: News

  /// Starts to consume the engine's news and to check at intervals.
  func start() {
    let events = engine.events()
    let consumer = WorkExecutor.task(isShared: true) { [weak self] in
      for await event in events { self?.handle(event) }
    }
    let checks = WorkExecutor.task(isShared: true) {
      [weak self, clock, interval = options.checkInterval] in
      while (try? await clock.sleep(until: clock.now + interval)) != nil {
        self?.post(FleetNews())
      }
    }
    state.withLock { $0.tasks += [consumer, checks] }
  }

  private func handle(_ event: FleetEngineEvent) {
    switch event {
    case .changed(let key, let version): post(FleetNews(key: key, version: version))
    case .connected: post(FleetNews())
    case .lost(let error): beginOutage(error)
    }
  }

  private func post(_ news: FleetNews) {
    for mailbox in state.withLock({ $0.mailboxes }) { mailbox.post(news) }
  }

  func add(_ mailbox: NewsMailbox) { state.withLock { $0.mailboxes.append(mailbox) } }

  func remove(_ mailbox: NewsMailbox) {
    state.withLock { $0.mailboxes.removeAll { $0 === mailbox } }
  }

  // MARK: Outages

  private func beginOutage(_ error: FleetError) {
    let now = clock.now
    let isNew = state.withLock { state in
      guard !state.isAway else { return false }
      (state.awaySince, state.metrics.isConnected) = (now, false)
      return true
    }
    guard isNew else { return }
    report(.away(error))
    let recovery = WorkExecutor.task(isShared: true) {
      [weak self, clock, interval = options.retryInterval] in
      while await self?.endOutage() == false {
        guard (try? await clock.sleep(until: clock.now + interval)) != nil else { return }
      }
    }
    state.withLock { $0.tasks = $0.tasks.prefix(2) + [recovery] }
  }

  /// Stores the local values, and ends the outage; returns whether the engine is back.
  private func endOutage() async -> Bool {
    // A write, which an engine without memory refuses.
    guard
      await isResponding({ [server, options] engine throws(FleetError) in
        _ = try await engine.lease(
          "probe \(server)", for: options.retryInterval * 2, server: server)
      })
    else { return false }
    var dropped = 0
    while true {
      let now = clock.now
      let next = state.withLock { state -> NextStep in state.nextStep(at: now) }
      switch next {
      case .finished(let time):
        report(.back(after: time, dropped: dropped))
        post(FleetNews())
        return true
      case .store(let key, let write):
        let result: Result<FleetValue, FleetError>
        do throws(FleetError) {
          result = .success(
            try await limited(until: clock.now + options.timeLimit) { engine throws(FleetError) in
              try await engine.set(key, write)
            })
        } catch { result = .failure(error) }
        if case .failure(let error) = result, error.beginsOutage { return false }
        if state.withLock({ $0.settle(key, write, result) }) { dropped += 1 }
      }
    }
  }

  private func isResponding(_ body: @escaping EngineCall<Void>) async -> Bool {
    do throws(FleetError) {
      try await limited(until: clock.now + options.timeLimit, body)
      return true
    } catch { return !error.beginsOutage }
  }

  // MARK: The app's version

  /// Returns a value with the app's version before it.
  func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let version = Array(options.appVersion.utf8.prefix(255))
    return [UInt8(version.count)] + version + bytes
  }

  /// Returns a value without the app's version; without bytes if the version is unknown.
  func opened(_ value: FleetValue) -> FleetValue {
    var opened = value
    opened.bytes = value.bytes.flatMap { bytes in
      guard let count = bytes.first.map(Int.init), bytes.count > count else { return nil }
      let version = String(decoding: bytes[1..<(count + 1)], as: UTF8.self)
      guard version == options.appVersion || options.readableVersions.contains(version) else {
        return nil
      }
      return Array(bytes[(count + 1)...])
    }
    return opened
  }
}

/// The next step of a recovery.
enum NextStep {
  case store(String, FleetWrite)
  case finished(after: Duration)
}

extension FleetState {
  /// Returns a local value to store; ends the outage if there is none.
  mutating func nextStep(at now: Duration) -> NextStep {
    while let (key, local) = locals.first(where: { $0.value.pending != nil }),
      var pending = local.pending
    {
      guard local.expiresAt > now else {
        locals[key] = nil
        continue
      }
      pending.sent.insert(pending.write.id)
      pending.write.expires = local.expiresAt - now
      locals[key]?.pending = pending
      return .store(key, pending.write)
    }
    let start = awaySince ?? now
    (awaySince, metrics.isConnected) = (nil, true)
    metrics.reconnections += 1
    return .finished(after: now - start)
  }

  /// Applies the engine's response to a local value; returns whether the value gave way.
  mutating func settle(
    _ key: String, _ write: FleetWrite, _ result: Result<FleetValue, FleetError>
  ) -> Bool {
    guard var local = locals[key], var pending = local.pending else { return false }
    defer { locals[key] = local }
    switch result {
    case .success(let value) where pending.write.id == write.id:
      local.settled = (local.value.version, value.version)
      (local.value, local.pending) = (value, nil)
      return false
    // Set again meanwhile; the next attempt finds that the engine has this server's write.
    case .success: return false
    case .failure(.conflict(let value))
    where value.version == 0 || pending.sent.contains(value.write):
      // The engine has restarted without data, or stored a write of this server whose response was lost.
      pending.write.ifVersion = value.version
      pending.sent = []
      local.pending = pending
      return false
    case .failure(.conflict(let value)):
      (local.value, local.pending) = (value, nil)
      return true
    case .failure:
      (local.value, local.pending) = (FleetValue(), nil)
      return true
    }
  }
}

extension FleetError {
  /// Whether the engine can't be used; otherwise it refused one write, or has one value of a wrong kind.
  var beginsOutage: Bool {
    switch self {
    case .conflict, .leaseLost, .tooLarge, .malformed: false
    case .timeout, .unreachable, .unauthorized, .notReady, .full, .unsupported: true
    }
  }
}

/// The result of a call or its time limit, of which the first counts.
private final class Race<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, FleetError>, Never>
  private let continuation: Mutex<Continuation?>

  init(_ continuation: Continuation) { self.continuation = Mutex(continuation) }

  func end(_ result: Result<Value, FleetError>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: result)
  }
}
