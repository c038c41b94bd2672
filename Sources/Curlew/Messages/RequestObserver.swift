public import HTTPTypes

/// A type that receives the events of a client's requests, for logs, metrics, traces and tests.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") {
///   $0.observers = [.calling { event in print(event) }]
/// }
/// ```
///
/// A client without observers creates no events. The events of one call arrive in order, unless a
/// middleware sends requests concurrently; only ``RequestEvent/Stage/connecting``,
/// ``RequestEvent/Stage/sent`` and ``RequestEvent/Stage/measured(_:)`` of a stopped attempt may arrive
/// after its end. The events of different calls arrive concurrently, on any thread.
public protocol RequestObserver: Sendable {
  /// Receives an event synchronously; the request waits until the function returns.
  ///
  /// ``RequestEvent/Stage/began`` is reported in the caller's task, with its task-local values.
  func observe(_ event: RequestEvent)

  /// Returns header fields to add to a request, such as `traceparent`; by default an empty array.
  ///
  /// It is called after ``RequestEvent/Stage/sending``, for each request on the wire. The fields replace
  /// existing fields of the same name.
  func headerFields(for event: RequestEvent) -> [HTTPField]
}

extension RequestObserver {
  /// Returns an empty array.
  public func headerFields(for event: RequestEvent) -> [HTTPField] { [] }
}

/// An observer that calls a function.
public struct CallingObserver: RequestObserver {
  private let body: @Sendable (RequestEvent) -> Void

  /// Creates an observer that calls a function with each event.
  init(_ body: @escaping @Sendable (RequestEvent) -> Void) {
    self.body = body
  }

  /// Calls the function.
  public func observe(_ event: RequestEvent) { body(event) }
}

extension RequestObserver where Self == CallingObserver {
  /// Returns an observer that calls a function with each event.
  public static func calling(_ body: @escaping @Sendable (RequestEvent) -> Void) -> Self {
    CallingObserver(body)
  }
}

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
