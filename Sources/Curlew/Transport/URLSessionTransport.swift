import HTTPTypes

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests with Foundation's `URLSession`: there on every platform, nothing else to depend
/// on.
///
/// It follows no redirects, keeps no cookies, no cache and no credentials, and has no timeouts of
/// its own: the client does all of that. Content codings are asked for and undone by `URLSession`;
/// a request for a `Range` asks for none.
///
/// What `URLSession` itself takes away: header fields that come more than once in a response are
/// joined by commas, `Set-Cookie` too, and the order of fields is lost.
///
/// On Linux, prefer `CurlewAsyncHTTPClient`: `URLSession` is several times slower there, and
/// - a response whose chunked body ends with trailer fields, a connection that is closed within an
///   response's head, and a `Content-Length` of nearly 2^63 abort the process;
/// - each request has a connection of its own, because on a kept one bytes after a response would be
///   taken for the next one, and a `POST` that got no response would be sent twice;
/// - what stands after a space in a chunk's size is skipped;
/// - a response whose status line ends after the status is refused;
/// - `URLSession` gives no error code for most of what can go wrong, TLS above all:
///   ``Client/TransportFailure/kind`` is told from libcurl's message, and is
///   ``Client/TransportFailure/Kind/other`` where that is none that is known; a client certificate
///   that is missing or rejected mostly looks like a lost connection;
/// - a `GET` request with a body is refused;
/// - a response with a header field that is not UTF-8 is refused;
/// - a redirect without a usable `Location` loses its body;
/// - a body that is cut off within its content coding counts as whole, as does one in bare DEFLATE
///   with bytes after its end, and one in zlib's format that is called `gzip`;
/// - a gzip body of several members is refused, and so is one in bare DEFLATE whose first byte
///   arrives alone, a redirect whose body is not what its coding says, and a body in a coding that
///   libcurl does not know, also when the request asked for it.
public struct URLSessionTransport: StoppableTransport {
  private let connection: @Sendable () -> URLSessionConnection
  /// Before the time to the first byte starts: a session would let requests wait within it.
  private let queue: RequestQueue

  /// Creates a transport with a session of its own.
  ///
  /// - Parameter configuration: Proxies, TLS versions, use of the cellular network and the like. Its
  ///   settings for cookies, caches, credentials and timeouts are not used, and it allows at least
  ///   64 connections to one host.
  public init(configuration: URLSessionConfiguration = .ephemeral) {
    let shared = URLSessionConnection(configuration)
    queue = RequestQueue(limit: shared.connectionsPerHost)
    #if canImport(FoundationNetworking)
      // What a server sends after a response would be taken for the next one on the same connection,
      // and a POST on one that the server gave up would be sent twice: none is used a second time.
      connection = { shared.successor() }
    #else
      connection = { shared }
    #endif
  }

  /// The transport that `.urlSession` stands for.
  fileprivate static let shared = URLSessionTransport()

  /// Sends a request and returns once the head of the response is there.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    // Of an error's body, some is kept whatever the limit.
    let limit = max(request.limits.bodySize, Client.StatusFailure.keptBytes)
    let slot = try await queue.slot(of: request.origin, for: request)
    return try await connection().send(request, upTo: limit, slot)
  }
}

extension Transport where Self == URLSessionTransport {
  /// Sends requests with one `URLSession` that the whole process shares.
  public static var urlSession: Self { .shared }
}

extension URLRequest {
  init(_ request: OutgoingRequest) throws {
    guard let url = URL(string: request.url, encodingInvalidCharacters: false) else {
      throw request.invalid("its URL is malformed (RFC 3986)")
    }
    self.init(url: url)
    httpMethod = request.head.method.rawValue
    httpShouldHandleCookies = false
    timeoutInterval = URLSessionConnection.noTimeout
    let fields = request.head.headerFields
    for field in fields { setValue(fields[field.name], forHTTPHeaderField: field.name.rawName) }
    if fields[.range] != nil, fields[.acceptEncoding] == nil {
      // Ranges count coded bytes, of which a part can't be undone.
      setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    httpBody = request.body
  }
}
