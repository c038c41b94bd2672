extension OutgoingRequest {
  /// The observation of the call; `nil` without observers.
  var observation: CallObservation? { observer as? CallObservation }

  /// Reports a stage of the call to the observers, if there are any.
  func report(_ stage: @autoclosure () -> RequestEvent.Stage) {
    observation?.report(stage(), of: self)
  }

  /// Runs a call and reports its beginning and its end to observers.
  ///
  /// - Parameter endsHere: Whether the call ends with the operation; the call of a stream ends later.
  func observed<Value>(
    endsHere: Bool = true, _ call: () async throws(Client.Error) -> Value
  ) async throws(Client.Error) -> Value {
    report(.began)
    do throws(Client.Error) {
      let value = try await call()
      if endsHere { report(.finished) }
      return value
    } catch {
      report(.failed(error))
      throw error
    }
  }
}
