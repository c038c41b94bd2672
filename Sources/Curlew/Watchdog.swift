import Synchronization

/// Enforces the limits of time of a client's requests, all of them with one sleeping task.
///
/// A timer for each request would cost more than the rest of the client: nearly all requests end
/// long before their limit. Here a request only enters and leaves a table; the one task sleeps
/// until the earliest limit in it and stops what has passed.
final class Watchdog: Sendable {
  private struct State {
    /// The requests that run, in places that are used again: cheaper than hashing.
    var leases: [Lease?] = []
    var freePlaces: [Int] = []
    /// When the sleeping task wakes; `nil` when there is none.
    var wakesAt: Duration?
    var sleeper: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let timeline: Timeline

  init(clock: any Clock<Duration>) {
    timeline = Timeline(clock)
  }

  deinit {
    state.withLock { $0.sleeper }?.cancel()
  }

  /// Runs an operation that a limit of the request, when it passes, ends through its lease.
  func run<Value: Sendable>(
    _ request: OutgoingRequest,
    _ operation: (Lease) async throws(Client.Error) -> Value
  ) async throws(Client.Error) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    let lease = Lease(request.limits, self)
    lease.begin()
    defer { lease.end() }
    do {
      return try await operation(lease)
    } catch {
      guard case .cancelled = error, let passed = lease.passedLimit,
        let duration = passed == .total ? request.limits.total : request.limits.firstByte
      else { throw error }
      throw .timeout(
        Client.TimeoutFailure(request: request.description, limit: passed, duration: duration))
    }
  }

  private func enter(_ lease: Lease) -> Int {
    state.withLock { state in
      if let place = state.freePlaces.popLast() {
        state.leases[place] = lease
        return place
      }
      state.leases.append(lease)
      return state.leases.count - 1
    }
  }

  private func leave(_ place: Int) {
    state.withLock { state in
      state.leases[place] = nil
      state.freePlaces.append(place)
    }
  }

  /// Sees to it that the sleeping task wakes by then.
  private func expect(_ deadline: Duration) {
    state.withLock { state in
      guard deadline < state.wakesAt ?? .seconds(Int64.max) else { return }
      sleep(until: deadline, &state)
    }
  }

  private func sleep(until deadline: Duration, _ state: inout State) {
    state.sleeper?.cancel()
    state.wakesAt = deadline
    state.sleeper = Task { @concurrent [timeline, weak self] in
      try? await timeline.sleep(until: deadline)
      guard !Task.isCancelled else { return }
      self?.wake()
    }
  }

  private func wake() {
    let now = timeline.now
    let passed = state.withLock { state -> [Lease] in
      state.wakesAt = nil
      state.sleeper = nil
      let deadlines = state.leases.lazy.compactMap { $0?.deadline }.filter { $0 > now }
      if let next = deadlines.min() { sleep(until: next, &state) }
      return state.leases.compactMap { $0 }.filter {
        ($0.deadline ?? .seconds(Int64.max)) <= now
      }
    }
    for lease in passed { lease.expire(at: now) }
  }

  /// One request's limits of time while it runs.
  final class Lease: Sendable {
    private struct State {
      var place = 0
      var firstByte: Duration?
      var total: Duration?
      var passed: Client.TimeoutFailure.Limit?
      var transfer: (any Interruptible)?
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let watchdog: Watchdog

    init(_ limits: Limits, _ watchdog: Watchdog) {
      self.limits = limits
      self.watchdog = watchdog
    }

    /// The limit that passed, if one did.
    var passedLimit: Client.TimeoutFailure.Limit? { state.withLock { $0.passed } }

    /// The earliest moment at which a limit passes.
    var deadline: Duration? {
      state.withLock { state in
        guard let total = state.total else { return state.firstByte }
        return state.firstByte.map { min($0, total) } ?? total
      }
    }

    func begin() {
      let total = limits.total.map { watchdog.timeline.now + $0 }
      let place = watchdog.enter(self)
      state.withLock { state in
        state.place = place
        state.total = total
      }
      if let total { watchdog.expect(total) }
    }

    /// Sets what is stopped when a limit passes; stops it now if one has.
    func stops(_ transfer: any Interruptible) {
      let isLate = state.withLock { state in
        state.transfer = transfer
        return state.passed != nil
      }
      if isLate { transfer.stop() }
    }

    /// Runs an operation in a task of its own, which is cancelled when the caller's is, or when a
    /// limit passes: for what waits in ways that can't be stopped otherwise.
    ///
    /// The way from task to task costs a tenth of a short request.
    func runInTaskOfItsOwn<Value: Sendable>(
      _ operation: @escaping @Sendable () async throws(Client.Error) -> Value
    ) async throws(Client.Error) -> Value {
      let task = await Self.start { () async -> Result<Value, Client.Error> in
        do throws(Client.Error) {
          return .success(try await operation())
        } catch {
          return .failure(error)
        }
      }
      stops(Running(cancel: task.cancel))
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }

    private final class Running: Interruptible {
      private let cancel: @Sendable () -> Void

      init(cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
      }

      func stop() {
        cancel()
      }
    }

    /// Starts a task off the caller's actor: at once where there is none to leave, because a way
    /// through the queue and its wake-up of a thread cost a fifth of a request.
    private nonisolated(nonsending) static func start<Value: Sendable>(
      _ operation: @escaping @Sendable () async -> Value
    ) async -> Task<Value, Never> {
      let isolation = #isolation
      guard isolation == nil else { return Task { @concurrent in await operation() } }
      return startHere(operation)
    }

    private static func startHere<Value: Sendable>(
      _ operation: @escaping @Sendable () async -> Value
    ) -> Task<Value, Never> {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { await operation() }
      } else {
        Task { @concurrent in await operation() }
      }
    }

    func end() {
      watchdog.leave(state.withLock { $0.place })
    }

    func startWaitingForHead() {
      guard let limit = limits.firstByte else { return }
      let firstByte = watchdog.timeline.now + limit
      state.withLock { $0.firstByte = firstByte }
      watchdog.expect(firstByte)
    }

    func stopWaitingForHead() {
      state.withLock { $0.firstByte = nil }
    }

    fileprivate func expire(at now: Duration) {
      let transfer = state.withLock { state -> (any Interruptible)? in
        guard state.passed == nil else { return nil }
        if let firstByte = state.firstByte, firstByte <= now {
          state.passed = .firstByte
        } else if let total = state.total, total <= now {
          state.passed = .total
        }
        return state.passed == nil ? nil : state.transfer
      }
      transfer?.stop()
    }
  }
}

/// A clock's time as a duration since the timeline was made.
struct Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  func sleep(until moment: Duration) async throws {
    try await sleepUntil(moment)
  }
}
