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
    /// Tells the sleeping task from one that was replaced when it was about to wake.
    var sleeperNumber = 0
  }

  private let state = Mutex(State())
  private let timeline: Timeline

  init(clock: any Clock<Duration>) {
    timeline = Timeline(clock)
  }

  deinit {
    state.withLock { $0.sleeper }?.cancel()
  }

  /// Makes what keeps a request's limits of time.
  func lease(for limits: Limits) -> Lease { Lease(limits, self) }

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
    state.sleeperNumber += 1
    state.sleeper = Task { @concurrent [timeline, weak self, number = state.sleeperNumber] in
      try? await timeline.sleep(until: deadline)
      guard !Task.isCancelled else { return }
      self?.wake(number)
    }
  }

  private func wake(_ number: Int) {
    let now = timeline.now
    let passed = state.withLock { state in
      if number == state.sleeperNumber { (state.wakesAt, state.sleeper) = (nil, nil) }
      return state.leases.compactMap { $0 }.filter {
        ($0.deadline ?? .seconds(Int64.max)) <= now
      }
    }
    for lease in passed { lease.expire(at: now) }
    // After that: a request whose head came too late may go on, and has its whole time before it.
    if let next = state.withLock({ $0.leases.lazy.compactMap { $0?.deadline }.min() }) {
      expect(next)
    }
  }

  /// One request's limits of time while it runs.
  final class Lease: Sendable {
    private struct State {
      var place = 0
      var total: Duration?
      /// Whether the limit of the whole time has passed.
      var hasPassed = false
      /// When what is awaited at the moment must be there.
      var connect: Duration?
      var firstByte: Duration?
      var idle: Duration?
      /// Which of these has passed.
      var late: Client.TimeoutFailure.Limit?
      /// What the request waits for at the moment.
      var current: (any Interruptible)?
      /// All of the request, where it has a task of its own.
      var whole: (any Interruptible)?

      /// Which of the limits on what is awaited has passed.
      func passed(at now: Duration) -> Client.TimeoutFailure.Limit? {
        let limits: [(Duration?, Client.TimeoutFailure.Limit)] = [
          (connect, .connect), (firstByte, .firstByte), (idle, .idle),
        ]
        return limits.first { deadline, _ in deadline.map { $0 <= now } ?? false }?.1
      }
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let watchdog: Watchdog

    fileprivate init(_ limits: Limits, _ watchdog: Watchdog) {
      self.limits = limits
      self.watchdog = watchdog
    }

    /// The time of the client's clock.
    var timeline: Timeline { watchdog.timeline }

    /// How much is left of the whole time; `nil` without a limit.
    var timeLeft: Duration? {
      state.withLock { $0.total }.map { $0 - watchdog.timeline.now }
    }

    /// Waits on the clock.
    func sleep(for duration: Duration) async throws {
      try await watchdog.timeline.sleep(until: watchdog.timeline.now + duration)
    }

    /// Runs a request's operation, which a limit, when it passes, ends by stopping what it waits
    /// for.
    func run<Value: Sendable>(
      _ request: OutgoingRequest, _ operation: () async throws(Client.Error) -> Value
    ) async throws(Client.Error) -> Value {
      guard !Task.isCancelled else { throw .cancelled }
      begin()
      defer { end() }
      do {
        return try await operation()
      } catch {
        guard case .cancelled = error, hasPassed else { throw error }
        throw request.timeout(.total)
      }
    }

    /// Waits for the head of an answer; when a limit for that passes, it ends this wait alone, so
    /// that the request may be sent again.
    func awaitingHead<Value: Sendable>(
      of request: OutgoingRequest, _ operation: () async throws(Client.Error) -> Value
    ) async throws(Client.Error) -> Value {
      if let limit = limits.firstByte { startWaiting(.firstByte, limit) }
      let value: Value
      do {
        value = try await operation()
      } catch {
        guard let late = stopWaiting(), case .cancelled = error, !hasPassed else { throw error }
        throw request.timeout(late)
      }
      // What came in the moment in which the limit passed was stopped.
      if let late = stopWaiting() { throw request.timeout(late) }
      return value
    }

    /// Starts to wait for a connection.
    func isConnecting() {
      if let limit = limits.connect { startWaiting(.connect, limit) }
    }

    /// Ends the wait for a connection.
    func hasConnected() {
      guard limits.connect != nil else { return }
      state.withLock { $0.connect = nil }
    }

    /// Waits for a piece of a body.
    func awaitingPiece<Piece>(
      of request: OutgoingRequest, _ operation: () async throws -> Piece?
    ) async throws -> Piece? {
      guard let limit = limits.idle else { return try await operation() }
      startWaiting(.idle, limit)
      do {
        let piece = try await operation()
        if let late = stopWaiting() { throw request.timeout(late) }
        return piece
      } catch {
        guard let late = stopWaiting(), error is CancellationError, !hasPassed else { throw error }
        throw request.timeout(late)
      }
    }

    /// Whether the limit of the whole time has passed.
    var hasPassed: Bool { state.withLock { $0.hasPassed } }

    /// The earliest moment at which a limit passes that has not yet.
    var deadline: Duration? {
      state.withLock { state in
        if state.hasPassed { return nil }
        let awaited = state.late == nil ? [state.connect, state.firstByte, state.idle] : []
        return (awaited + [state.total]).compactMap { $0 }.min()
      }
    }

    private func begin() {
      let place = watchdog.enter(self)
      state.withLock { $0.place = place }
      if let limit = limits.total { startWaiting(.total, limit) }
    }

    /// Sets what is stopped when a limit passes; stops it now if one has.
    func stops(_ current: any Interruptible) {
      let isLate = state.withLock { state in
        state.current = current
        return state.hasPassed || state.late != nil
      }
      if isLate { current.stop() }
    }

    private func stopsWhole(_ whole: any Interruptible) {
      let isLate = state.withLock { state in
        state.whole = whole
        return state.hasPassed
      }
      if isLate { whole.stop() }
    }

    /// Runs an operation in a task of its own, which is cancelled when the caller's is, or when a
    /// limit passes: for what waits in ways that can't be stopped otherwise.
    ///
    /// The way from task to task costs a tenth of a short request.
    ///
    /// - Parameter isWhole: Whether that is all of the request, and not only its wait for a head.
    func runInTaskOfItsOwn<Value: Sendable>(
      isWhole: Bool,
      _ operation: @escaping @Sendable () async throws(Client.Error) -> Value
    ) async throws(Client.Error) -> Value {
      let task = await Self.start { () async -> Result<Value, Client.Error> in
        do throws(Client.Error) {
          return .success(try await operation())
        } catch {
          return .failure(error)
        }
      }
      let running = Running(cancel: task.cancel)
      if isWhole { stopsWhole(running) } else { stops(running) }
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

    private func end() {
      // A transfer holds its request and so this lease: they would keep each other for ever.
      let (place, _, _) = state.withLock { state in
        (state.place, state.current.take(), state.whole.take())
      }
      watchdog.leave(place)
    }

    private func startWaiting(_ limit: Client.TimeoutFailure.Limit, _ duration: Duration) {
      let deadline = watchdog.timeline.now + duration
      state.withLock { state in
        switch limit {
        case .connect: state.connect = deadline
        case .firstByte: state.firstByte = deadline
        case .idle: state.idle = deadline
        case .total: state.total = deadline
        }
      }
      watchdog.expect(deadline)
    }

    /// Returns which limit passed meanwhile.
    private func stopWaiting() -> Client.TimeoutFailure.Limit? {
      state.withLock { state in
        defer {
          (state.connect, state.firstByte, state.idle, state.late) = (nil, nil, nil, nil)
        }
        return state.late
      }
    }

    fileprivate func expire(at now: Duration) {
      let (current, whole) = state.withLock {
        state -> ((any Interruptible)?, (any Interruptible)?) in
        if let total = state.total, total <= now, !state.hasPassed {
          state.hasPassed = true
          return (state.current, state.whole)
        }
        guard state.late == nil, let late = state.passed(at: now) else { return (nil, nil) }
        state.late = late
        // A body of a transfer that can't be stopped from outside is read by the whole.
        return (state.current, late == .idle ? state.whole : nil)
      }
      current?.stop()
      whole?.stop()
    }
  }
}
