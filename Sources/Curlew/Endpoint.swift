public import HTTPTypes

/// An operation of an HTTP API, as a value that knows the type of its response.
///
/// A struct, or an enum whose cases share a response type, conforms by declaring its `Response` and its
/// `path`; everything else has a default. Where an operation needs no type of its own, use the
/// ready-made ``Request``.
///
/// ```swift
/// enum MovieList: String, Endpoint {
///   case nowPlaying = "now_playing", topRated = "top_rated"
///   typealias Response = MoviePage
///   var path: Path { "/3/movie/\(rawValue)" }
/// }
/// ```
public protocol Endpoint<Response>: Sendable {
  /// The type of the decoded response: `Decodable` (JSON), `Data`, `String`, `Void`, or any other type
  /// with its own ``decoding``.
  associatedtype Response: Sendable

  /// The request's method; `GET` by default.
  var method: HTTPRequest.Method { get }
  /// The path below the client's base URL; ``Path/url(_:)`` takes the place of both.
  var path: Path { get }
  /// The query items; none by default.
  var query: Query { get }
  /// The header fields of this endpoint; they override the client's.
  var headerFields: HTTPFields { get }
  /// The request's body; none by default.
  var body: RequestBody { get }
  /// How the body of an accepted response is decoded.
  var decoding: ResponseDecoding<Response> { get }
  /// The status codes of responses that are decoded; 200 to 299 by default. Any other status throws
  /// ``Client/Error/status(_:)``.
  var acceptedStatuses: Set<Int> { get }
  /// The type that an error's body is decoded as, for ``Client/StatusFailure/body(as:)``; `nil`, the
  /// default, for the client's.
  var errorBody: ErrorBody? { get }
  /// Whether redirects are followed; `nil`, the default, for the client's policy.
  var redirects: RedirectPolicy? { get }

  /// Whether `.retrying()` may retry the request after a transient failure.
  ///
  /// By default, requests with idempotent methods are retryable (RFC 9110 section 9.2.2).
  var isRetryable: Bool { get }
  /// The request's priority in queues; interactive by default.
  var priority: RequestPriority { get }

  /// The change of the client's middlewares for this endpoint, such as `.without(.retrying)`; `nil`, the
  /// default, for none.
  var middleware: MiddlewareChange? { get }

  /// Adjusts the client's limits for this endpoint; does nothing by default.
  func adjustLimits(_ limits: inout Limits)
}

/// A type that the body of an error response is decoded as.
public typealias ErrorBody = any (Decodable & Sendable).Type

/// Whether redirects (RFC 9110 section 15.4) are followed.
public enum RedirectPolicy: Sendable, Hashable {
  /// Redirects are followed, up to ``Limits/redirects``.
  case follow
  /// Redirects are returned as the response, with their `Location` and `Set-Cookie`.
  ///
  /// An endpoint with this policy accepts them. With only the client's policy, they throw
  /// ``Client/Error/status(_:)`` unless ``Endpoint/acceptedStatuses`` contains their status.
  case doNotFollow
}

extension Set<Int> {
  /// The status codes of successful responses: 200 to 299 (RFC 9110 section 15.3).
  public static let successful = Set(200...299)
}

/// The priority of a request in queues.
public enum RequestPriority: Sendable, Hashable {
  /// A user waits for the response.
  case interactive
  /// The response is fetched in advance; requests that a user waits for are sent first.
  case prefetch
}

extension Endpoint {
  /// `GET`.
  public var method: HTTPRequest.Method { .get }
  /// No query.
  public var query: Query { [:] }
  /// No header fields beyond the client's.
  public var headerFields: HTTPFields { [:] }
  /// No body.
  public var body: RequestBody { .none }

  /// `true` for `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`.
  public var isRetryable: Bool { method.isIdempotent }
  /// 200 to 299.
  public var acceptedStatuses: Set<Int> { .successful }
  /// `nil`: the client's type.
  public var errorBody: ErrorBody? { nil }
  /// `nil`: the client's policy.
  public var redirects: RedirectPolicy? { nil }
  /// Interactive.
  public var priority: RequestPriority { .interactive }

  /// `nil`: the client's middlewares.
  public var middleware: MiddlewareChange? { nil }

  /// Does nothing.
  public func adjustLimits(_ limits: inout Limits) {}
}

extension Endpoint where Response: Decodable {
  /// JSON; the bytes themselves for `Data`, the text for `String`.
  public var decoding: ResponseDecoding<Response> { .automatic }
}

extension Endpoint where Response == Void {
  /// A decoding that reads the body of an accepted response, up to ``Limits/bodySize``, and discards
  /// it.
  public var decoding: ResponseDecoding<Void> { .discarded }
}

extension HTTPRequest.Method {
  /// Whether sending a request several times has the same effect as sending it once (RFC 9110 section
  /// 9.2.2).
  var isIdempotent: Bool {
    [.get, .head, .options, .trace, .put, .delete].contains(self)
  }
}
