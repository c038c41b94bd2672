public import HTTPTypes

/// A type that is told what happens to a client's requests: for logs, metrics, traces and tests.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") {
///   $0.observers = [.calling { event in print(event) }]
/// }
/// ```
///
/// A client without observers makes no events. Those of one call come in order, unless a middleware sends
/// requests concurrently; only ``RequestEvent/Stage/connecting``, ``RequestEvent/Stage/sent`` and
/// ``RequestEvent/Stage/measured(_:)`` of an attempt that is stopped may come after its end. Those of different calls come concurrently, on any thread.
public protocol RequestObserver: Sendable {
  /// Called with each event, at once; the request waits until it returns.
  ///
  /// ``RequestEvent/Stage/began`` comes in the task of the caller, with its task-local values.
  func observe(_ event: RequestEvent)

  /// Returns header fields to send with a request, such as `traceparent`; none by default.
  ///
  /// Called after ``RequestEvent/Stage/sending``, for each request on the wire. The fields replace those
  /// of the same name.
  func headerFields(for event: RequestEvent) -> [HTTPField]
}

extension RequestObserver {
  /// Returns no fields.
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
