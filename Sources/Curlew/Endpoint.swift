import HTTPTypes

/// An operation of an HTTP API, as a value with the type of its response.
///
/// A struct or an enum only needs a ``request`` to conform. For an operation without its own type, use the
/// ready-made ``Request``.
///
/// ```swift
/// enum MovieList: String, Endpoint {
///   case nowPlaying = "now_playing", topRated = "top_rated"
///   var request: Request<MoviePage> { .get("/3/movie/\(rawValue)") }
/// }
/// ```
///
/// All options are methods of the request, such as ``Request/retryable(_:)``, so a misspelt option does not
/// compile.
public protocol Endpoint<Response>: Sendable {
  /// The type of the decoded response: `Decodable` (JSON), `Data`, `String`, `Void`, or any other type
  /// with its own ``ResponseDecoding``.
  associatedtype Response: Sendable

  /// The request to send, with the decoding of its response.
  var request: Request<Response> { get }
}

/// The properties of an endpoint's request that don't depend on its response type.
protocol RequestDeclaration: Endpoint {
  var method: HTTPRequest.Method { get }
  var path: Path { get }
  var query: Query { get }
  var headerFields: HTTPFields { get }
  var body: RequestBody { get }
  var acceptedStatuses: Set<Int> { get }
  var errorBody: ErrorBody? { get }
  var redirects: RedirectPolicy? { get }
  var isRetryable: Bool { get }
  var priority: RequestPriority { get }
  var sample: Sample? { get }
  /// A function that changes the client's middlewares for this endpoint; `nil` for no change.
  var middlewareChange: (@Sendable (inout MiddlewareLists) -> Void)? { get }
}

extension Endpoint {
  /// The request, independent of its response type.
  var declaration: any RequestDeclaration { request }
}

/// A type to decode the body of an error response as.
public typealias ErrorBody = any (Decodable & Sendable).Type

/// A policy for redirects (RFC 9110 section 15.4).
public enum RedirectPolicy: Sendable, Hashable {
  /// Redirects are followed, up to ``Limits/redirects``.
  case follow
  /// Redirects are returned as the response, with their `Location` and `Set-Cookie`.
  ///
  /// An endpoint with this policy accepts their statuses. If only the client has this policy, a redirect
  /// throws ``Client/Error/status(_:)`` unless ``Request/acceptedStatuses`` contains its status.
  case doNotFollow
}

extension Set<Int> {
  /// The status codes of successful responses: 200 to 299 (RFC 9110 section 15.3).
  static let successful = Set(200...299)
}

/// The priority of a request in queues.
enum RequestPriority: Sendable, Hashable {
  /// A user waits for the response.
  case interactive
  /// The response is fetched in advance; requests that a user waits for are sent first.
  case prefetch
}

extension HTTPRequest.Method {
  /// Whether sending a request several times has the same effect as sending it once (RFC 9110 section
  /// 9.2.2).
  var isIdempotent: Bool {
    [.get, .head, .options, .trace, .put, .delete].contains(self)
  }
}
