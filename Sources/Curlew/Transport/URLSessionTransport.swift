import HTTPTypes

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport that uses Foundation's `URLSession`, which is available on every platform without
/// further dependencies.
///
/// It follows no redirects, keeps no cookies, no cache and no credentials, and has no timeouts of its own:
/// the client handles all of these. `URLSession` requests content codings and decodes them; a request for a
/// `Range` requests no coding.
///
/// `URLSession` joins repeated header fields of a response with commas, `Set-Cookie` too, and loses the
/// order of fields.
///
/// On Linux, prefer `CurlewAsyncHTTPClient`. `URLSession` is several times slower there, and has these
/// limitations:
/// - a response whose chunked body ends with trailer fields, a connection that is closed within a
///   response's head, and a `Content-Length` of nearly 2^63 abort the process;
/// - each request has its own connection, because on a reused connection extra bytes after a response would
///   be taken for the next response, and a `POST` that got no response would be sent twice;
/// - text after a space in a chunk's size is ignored;
/// - a response whose status line ends after the status is rejected;
/// - `URLSession` has no error code for most failures, TLS failures above all:
///   ``Client/TransportFailure/kind`` is derived from libcurl's message, and is
///   ``Client/TransportFailure/Kind/other`` for an unknown message; a client certificate that is missing or
///   rejected mostly looks like a lost connection;
/// - a `GET` request with a body is rejected;
/// - a response with a header field that is not UTF-8 is rejected;
/// - a redirect without a usable `Location` loses its body;
/// - a truncated compressed body counts as complete, as do a raw DEFLATE body with bytes after its end and
///   a zlib body that is labelled `gzip`;
/// - a gzip body with several members is rejected, as are a raw DEFLATE body whose first byte arrives
///   alone, a redirect whose body does not match its content coding, and a body in a coding that libcurl
///   does not support, even if the request accepts it;
/// - the proxies of the environment's variables can't be replaced or switched off, and requests to which
///   this would apply are rejected, as is a URL with an IPv6 address.
public struct URLSessionTransport: Transport {
  /// `true`.
  public var isStoppable: Bool { true }
  private let connections: URLSessionConnections
  /// The queue in which requests wait before their first-byte limit starts; in a session's own queue, the
  /// limit would include the wait.
  private let queue: RequestQueue

  /// Creates a transport with its own session.
  ///
  /// - Parameters:
  ///   - configuration: TLS versions, use of the cellular network and other settings. Settings for
  ///     cookies, caches, credentials and timeouts are ignored, and at least 64 connections to a host are
  ///     allowed. Its proxies (`connectionProxyDictionary`) apply where `proxy` is the environment's and
  ///     no variable names a proxy; on Linux, `URLSession` ignores them, so they are an error.
  ///   - proxy: The proxy; by default the proxies in the environment's variables, such as `https_proxy`. On
  ///     Linux, `URLSession` always uses these variables: with another proxy, or with `.none`, a request to
  ///     which they apply throws ``Client/Error/invalidRequest(_:)``.
  public init(configuration: URLSessionConfiguration = .ephemeral, proxy: Proxy = .environment) {
    self.init(configuration, ServerTrust(), proxy)
  }

  private init(_ configuration: URLSessionConfiguration, _ trust: ServerTrust, _ proxy: Proxy) {
    connections = URLSessionConnections(configuration, trust, proxy)
    queue = RequestQueue(limit: connections.requestsPerHost)
  }

  #if canImport(FoundationNetworking)
    /// Unavailable on Linux, where `URLSession` does not expose server certificates: see
    /// `.asyncHTTPClient(tls:)` of CurlewAsyncHTTPClient.
    @available(
      *, unavailable,
      message: "URLSession on Linux has no TLS settings: use .asyncHTTPClient(tls:)"
    )
    public init(
      configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrust,
      proxy: Proxy = .environment
    ) { fatalError("unavailable") }
  #else
    /// Creates a transport with its own session and trust settings.
    ///
    /// - Parameters:
    ///   - configuration: As in ``init(configuration:proxy:)``.
    ///   - trust: The trusted roots and the pinned keys.
    ///   - proxy: As in ``init(configuration:proxy:)``.
    public init(
      configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrust,
      proxy: Proxy = .environment
    ) {
      self.init(configuration, trust, proxy)
    }
  #endif

  /// The transport that `.urlSession` returns.
  fileprivate static let shared = URLSessionTransport()

  /// Sends a request and returns when the head of the response has arrived.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    // Part of an error's body is kept, regardless of the limit.
    let limit = max(request.limits.bodySize, Client.StatusFailure.keptBytes)
    let route = try connections.route(of: request)
    let slot = try await queue.slot(of: request.origin, for: request)
    var response = try await connections[route].send(
      request, upTo: limit, slot, through: route.server)
    if request.head.scheme != "https" { response.maskCredentials(of: route.server, for: request) }
    return response
  }
}

extension Transport where Self == URLSessionTransport {
  /// A transport with a `URLSession` that the whole process shares.
  ///
  /// It uses the proxies in the environment's variables (``Proxy/environment``).
  public static var urlSession: Self { .shared }

  /// Returns a transport with its own `URLSession` and proxy, as in
  /// ``URLSessionTransport/init(configuration:proxy:)``.
  ///
  /// Create it once for each client: two transports share no connections.
  public static func urlSession(proxy: Proxy) -> Self { Self(proxy: proxy) }

  #if canImport(FoundationNetworking)
    /// Unavailable on Linux: see `.asyncHTTPClient(tls:)` of CurlewAsyncHTTPClient.
    @available(
      *, unavailable,
      message: "URLSession on Linux has no TLS settings: use .asyncHTTPClient(tls:)"
    )
    public static func urlSession(trust: ServerTrust, proxy: Proxy = .environment) -> Self {
      fatalError("unavailable")
    }
  #else
    /// Returns a transport with its own `URLSession` and trust settings.
    ///
    /// Create it once for each client: two transports share no connections.
    public static func urlSession(trust: ServerTrust, proxy: Proxy = .environment) -> Self {
      Self(trust: trust, proxy: proxy)
    }
  #endif
}

extension URLRequest {
  init(_ request: OutgoingRequest) throws {
    guard let url = URL(string: request.url, encodingInvalidCharacters: false) else {
      throw request.invalid("its URL is malformed (RFC 3986)")
    }
    #if canImport(FoundationNetworking)
      guard request.head.authority?.hasPrefix("[") != true else {
        // `URLSession` compares the host with libcurl's, which has brackets.
        throw request.invalid(
          "URLSession on Linux can't load a URL with an IPv6 address: use .asyncHTTPClient")
      }
    #endif
    self.init(url: url)
    httpMethod = request.head.method.rawValue
    httpShouldHandleCookies = false
    timeoutInterval = URLSessionConnection.noTimeout
    let fields = request.head.headerFields
    for field in fields { setValue(fields[field.name], forHTTPHeaderField: field.name.rawName) }
    if fields[.range] != nil, fields[.acceptEncoding] == nil {
      // Ranges refer to encoded bytes, and a part of an encoded body can't be decoded.
      setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
    httpBody = request.body?.data
  }
}
