extension OutgoingRequest {
  /// The remaining time of the call; `nil` without a limit.
  public var timeLeft: Duration? { call?.timeLeft }

  /// The client's clock.
  var clock: RelativeClock? { call?.timers.clock }

  /// The time on the client's clock, from an origin that is the same for all requests of a client; zero for a request
  /// outside of a client.
  public var time: Duration { clock?.now ?? .zero }

  /// Whether the call's total time limit has passed.
  var hasRunOutOfTime: Bool { call?.hasPassed == true }

  /// Registers what a time limit of the request or the call stops when it passes: a transfer, or a wait.
  ///
  /// It replaces what was registered before, and is not retained.
  public func stopOnTimeout(_ transfer: any Stoppable) {
    self.transfer?.stopOnTimeout(transfer)
    call?.stopOnTimeout(transfer)
  }

  /// Runs an operation in a task of its own, which is cancelled when a time limit of the request or the call passes, or the
  /// caller's task is cancelled.
  ///
  /// So a step that is ``CallStep/isStoppable`` awaits what a time limit could not stop otherwise.
  public func runInOwnTask<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = await StoppableTask.start { () async -> Result<Value, any Error> in
      do { return .success(try await operation()) } catch { return .failure(error) }
    }
    transfer?.stopOnTimeout(task)
    call?.add(task)
    // A task retains its request and thereby the call.
    defer { call?.remove(task) }
    return try await task.value.get()
  }

  /// Starts a time limit of the transfer, instead of the running limit.
  ///
  /// A transport starts ``Limits/connect`` when it opens a connection, and ``Limits/firstByte`` when it has sent the request,
  /// or ``Limits/idle`` with each chunk of a body that it sends.
  public func startLimit(_ limit: Client.TimeoutFailure.Limit) {
    transfer?.startLimit(limit)
  }

  /// Starts a time limit of the transfer, instead of the running limit.
  ///
  /// - Parameter isSuspended: Called when the limit would pass; returns whether to restart it instead.
  package func startLimit(
    _ limit: Client.TimeoutFailure.Limit, _ start: LimitStart,
    isSuspended: (@Sendable () -> Bool)? = nil
  ) {
    transfer?.startLimit(limit, start, isSuspended: isSuspended)
  }

  /// Sets whether the request's body is being sent, which the error of ``Limits/idle`` says.
  public func setSending(_ isSending: Bool) { transfer?.setSending(isSending) }

  /// Returns the error for a time limit that passed.
  func timeout(_ limit: Client.TimeoutFailure.Limit, isSending: Bool = false) -> Client.Error {
    .timeout(
      Client.TimeoutFailure(
        request: description, limit: limit, duration: limits.duration(of: limit) ?? .zero,
        isSending: isSending && limit == .idle))
  }
}

extension OutgoingRequest {
  /// Waits until the system has a network, at most for the remaining time of the call; returns immediately
  /// without a network monitor.
  func waitForNetwork() async throws(Client.Error) {
    guard let networkMonitor = call?.networkMonitor else { return }
    let task = await StoppableTask.start { () async -> Bool in
      (try? await networkMonitor.waitForNetwork()) != nil
    }
    call?.stopOnTimeout(task)
    defer { withExtendedLifetime(task) {} }
    // If the call's time limit passed, its deadline replaces this error.
    guard await task.value else { throw .cancelled }
  }
}

extension OutgoingRequest {
  /// Waits on the client's clock; returns immediately for a request outside of a client.
  ///
  /// - Throws: ``Client/Error/timeout(_:)``, immediately, if the call has less time left;
  ///   ``Client/Error/cancelled``.
  public func wait(for duration: Duration) async throws(Client.Error) {
    try await wait(for: duration, as: nil)
  }

  /// Waits on the client's clock.
  ///
  /// - Parameter stage: The stage to report to observers.
  func wait(
    for duration: Duration, as stage: @autoclosure () -> RequestEvent.Stage?
  ) async throws(Client.Error) {
    guard let clock = call?.timers.clock else { return }
    if let timeLeft, timeLeft < duration { throw timeout(.total) }
    let isReported = begin(stage())
    defer { if isReported { report(.resumed) } }
    do {
      try await clock.sleep(until: clock.now + duration)
    } catch {
      throw .cancelled
    }
  }

  /// Reports the beginning of a wait, and returns whether to report its end.
  private func begin(_ stage: @autoclosure () -> RequestEvent.Stage?) -> Bool {
    guard let observation = call?.observation, let stage = stage() else { return false }
    observation.report(stage, of: self)
    return true
  }

  /// Waits for a value that another request or a response provides.
  ///
  /// - Parameter stage: The stage to report to observers.
  /// - Throws: The error that the other request or the response provides; ``Client/Error/cancelled``.
  func wait<Value>(
    for waiter: Waiter<Value>, as stage: @autoclosure () -> RequestEvent.Stage
  ) async throws(Client.Error) -> Value {
    let isReported = begin(stage())
    defer { if isReported { report(.resumed) } }
    call?.stopOnTimeout(waiter)
    do {
      return try await waiter.value()
    } catch {
      throw failure(error)
    }
  }
}
