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
    call?.stops(waiter)
    do {
      return try await waiter.value()
    } catch {
      throw failure(error)
    }
  }
}
