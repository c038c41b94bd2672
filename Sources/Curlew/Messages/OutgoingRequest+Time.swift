extension OutgoingRequest {
  /// The time that the call has left; `nil` without a limit.
  public var timeLeft: Duration? { call?.timeLeft }

  /// The client's clock.
  package var clock: RelativeClock? { call?.timers.clock }

  /// Whether the call's total time limit has passed.
  var hasRunOutOfTime: Bool { call?.hasPassed == true }

  /// Sets what to stop when one of the transfer's time limits, or the call's, passes.
  package func stops(_ transfer: any Stoppable) {
    self.transfer?.stops(transfer)
    call?.stops(transfer)
  }

  /// Starts a time limit of the transfer in place of the one that runs.
  ///
  /// - Parameter isSuspended: Called when the limit would pass; returns whether to restart it instead.
  package func awaits(
    _ limit: Client.TimeoutFailure.Limit, isSuspended: (@Sendable () -> Bool)? = nil
  ) {
    transfer?.awaits(limit, isSuspended: isSuspended)
  }

  /// Notes that the request's body is being sent, or that it was sent.
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
  /// Waits until the system has a network, where that is known; for as long as the call has time.
  func waitForNetwork() async throws(Client.Error) {
    guard let networkMonitor else { return }
    let task = await StoppableTask.start { () async -> Bool in
      (try? await networkMonitor.waitForNetwork()) != nil
    }
    call?.stops(task)
    defer { withExtendedLifetime(task) {} }
    // The call's own time limit is told by its deadline.
    guard await task.value else { throw .cancelled }
  }
}
