extension OutgoingRequest {
  /// The remaining time of the call; `nil` without a limit.
  public var timeLeft: Duration? { call?.timeLeft }

  /// The client's clock.
  package var clock: RelativeClock? { call?.timers.clock }

  /// Whether the call's total time limit has passed.
  var hasRunOutOfTime: Bool { call?.hasPassed == true }

  /// Sets the transfer to stop when one of its time limits, or the call's, passes.
  package func stops(_ transfer: any Stoppable) {
    self.transfer?.stops(transfer)
    call?.stops(transfer)
  }

  /// Starts a time limit of the transfer, and stops the running limit.
  ///
  /// - Parameter isSuspended: Called when the limit would pass; returns whether to restart it instead.
  package func awaits(
    _ limit: Client.TimeoutFailure.Limit, _ start: LimitStart = .whole,
    isSuspended: (@Sendable () -> Bool)? = nil
  ) {
    transfer?.awaits(limit, start, isSuspended: isSuspended)
  }

  /// Sets whether the request's body is being sent.
  package func setSending(_ isSending: Bool) { transfer?.setSending(isSending) }

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
    guard let networkMonitor else { return }
    let task = await StoppableTask.start { () async -> Bool in
      (try? await networkMonitor.waitForNetwork()) != nil
    }
    call?.stops(task)
    defer { withExtendedLifetime(task) {} }
    // If the call's time limit passed, its deadline replaces this error.
    guard await task.value else { throw .cancelled }
  }
}
