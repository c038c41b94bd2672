public import HTTPTypes

/// One operation of an HTTP API, as a value that knows the type of its response.
///
/// A struct, or an enum with one case per operation with the same type of response, conforms by
/// stating its `Response` and its `path`; everything else has a default. For a one-off, use the
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
  /// The type of the decoded response: `Decodable` (JSON), `Data`, `String`, `Void`, or any other with a
  /// ``decoding`` of its own.
  associatedtype Response: Sendable

  /// The request's method; `GET` by default.
  var method: HTTPRequest.Method { get }
  /// The path below the client's base URL.
  var path: Path { get }
  /// The query items; none by default.
  var query: Query { get }
  /// Header fields of this endpoint; they win over the client's own.
  var headerFields: HTTPFields { get }
  /// What the request carries; nothing by default.
  var body: RequestBody { get }
  /// How the body of an accepted response becomes a `Response`.
  var decoding: ResponseDecoding<Response> { get }
  /// The status codes of responses that are decoded; 200 to 299 by default. Any other is
  /// ``Client/Error/status(_:)``.
  var acceptedStatuses: Set<Int> { get }
  /// The type that the body of an error is decoded as, for ``Client/StatusFailure/body(as:)``; `nil` (the
  /// default) uses the client's.
  var errorBody: ErrorBody? { get }
  /// Whether redirects are followed; `nil`, the default, leaves that to the client.
  var redirects: RedirectPolicy? { get }

  /// Whether `.retrying()` may send the request again after a failure that may pass.
  ///
  /// By default those may whose method is idempotent (RFC 9110 section 9.2.2).
  var isRetryable: Bool { get }
  /// Whether a user waits for the response; interactive by default.
  var priority: RequestPriority { get }

  /// Changes the client's limits for this endpoint; leaves them by default.
  func adjust(_ limits: inout Limits)
}

/// A type that the body of an error response is decoded as.
public typealias ErrorBody = any (Decodable & Sendable).Type

/// Whether redirects (RFC 9110 section 15.4) are followed.
public enum RedirectPolicy: Sendable, Hashable {
  /// They are followed, as often as ``Limits/redirects`` allows.
  case follow
  /// They are the response. An endpoint that says so accepts them, with their `Location` and their
  /// `Set-Cookie`; where only its client says so, they are ``Client/Error/status(_:)`` unless
  /// ``Endpoint/acceptedStatuses`` has them.
  case doNotFollow
}

extension Set<Int> {
  /// The status codes of successful responses: 200 to 299 (RFC 9110 section 15.3).
  public static let successful = Set(200...299)
}

/// Who waits for a response.
public enum RequestPriority: Sendable, Hashable {
  /// A user does.
  case interactive
  /// Nobody yet: it is fetched in advance, and lets the others pass.
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
  /// The client's.
  public var errorBody: ErrorBody? { nil }
  /// As the client does.
  public var redirects: RedirectPolicy? { nil }
  /// Interactive.
  public var priority: RequestPriority { .interactive }

  /// Leaves the client's limits as they are.
  public func adjust(_ limits: inout Limits) {}
}

extension Endpoint where Response: Decodable {
  /// JSON; the bytes themselves for `Data`, the text for `String`.
  public var decoding: ResponseDecoding<Response> { .automatic }
}

extension Endpoint where Response == Void {
  /// The body of an accepted response is read, within ``Limits/bodySize``, and dropped.
  public var decoding: ResponseDecoding<Void> { .discarded }
}

extension HTTPRequest.Method {
  /// Whether sending a request again does no more than sending it once (RFC 9110 section 9.2.2).
  var isIdempotent: Bool {
    [.get, .head, .options, .trace, .put, .delete].contains(self)
  }
}
