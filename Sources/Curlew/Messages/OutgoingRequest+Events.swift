extension OutgoingRequest {
  /// Reports a stage of the call to the observers, if there are any.
  func report(_ stage: @autoclosure () -> RequestEvent.Stage) {
    call?.observation?.report(stage(), of: self)
  }

  /// Runs a call and reports its beginning and its end to observers.
  func observed<Value>(
    _ call: () async throws(Client.Error) -> Value
  ) async throws(Client.Error) -> Value {
    report(.began)
    do throws(Client.Error) {
      let value = try await call()
      report(.finished)
      return value
    } catch {
      report(.failed(error))
      throw error
    }
  }
}
