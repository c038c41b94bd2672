extension OutgoingRequest {
  /// How much is left of the time that the call may take in all; `nil` without a limit.
  public var timeLeft: Duration? { call?.timeLeft }

  /// Waits on the client's clock; returns at once for a request outside of a client.
  ///
  /// - Throws: ``Client/Error/timeout(_:)`` at once when less time is left than that;
  ///   ``Client/Error/cancelled``.
  public func wait(for duration: Duration) async throws(Client.Error) {
    guard let clock = call?.timers.clock else { return }
    if let timeLeft, timeLeft < duration { throw timeout(.total) }
    do {
      try await clock.sleep(until: clock.now + duration)
    } catch {
      throw .cancelled
    }
  }

  /// Waits for what another request, or a response, brings.
  ///
  /// - Throws: What it brings; ``Client/Error/cancelled``.
  func wait<Value>(for waiter: Waiter<Value>) async throws(Client.Error) -> Value {
    waits?.begin()
    defer { waits?.end() }
    call?.stops(waiter)
    do {
      return try await waiter.value()
    } catch {
      throw (error as? Client.Error) ?? .cancelled
    }
  }

  /// The time of the client's clock.
  var clock: RelativeClock? { call?.timers.clock }

  /// Whether the time of the whole call is over.
  var hasRunOutOfTime: Bool { call?.hasPassed == true }

  /// Sets what is stopped when one of the transfer's time limits passes, or the call's.
  package func stops(_ transfer: any Stoppable) {
    self.transfer?.stops(transfer)
    call?.stops(transfer)
  }

  /// Starts the time limit of what a transfer awaits next, in place of the one before.
  ///
  /// - Parameter isPutOff: Asked when the limit would pass; returns whether it starts anew instead.
  package func awaits(
    _ limit: Client.TimeoutFailure.Limit, isPutOff: (@Sendable () -> Bool)? = nil
  ) {
    transfer?.awaits(limit, isPutOff: isPutOff)
  }

  /// What a client throws when a time limit passes.
  func timeout(_ limit: Client.TimeoutFailure.Limit) -> Client.Error {
    .timeout(
      Client.TimeoutFailure(
        request: description, limit: limit, duration: limits.duration(of: limit) ?? .zero))
  }
}
