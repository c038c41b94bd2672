public import AsyncHTTPClient
public import Curlew
import HTTPTypes
import NIOCore
import NIOSSL

/// A transport that uses AsyncHTTPClient; recommended on Linux and on servers.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") { $0.transport = .asyncHTTPClient }
/// ```
///
/// For your own roots, client certificates and pinned keys, use `.asyncHTTPClient(tls:)`.
///
/// It uses HTTP/2 if the server supports it, and keeps connections for later requests. A body that is
/// released before its end closes its connection (its stream in HTTP/2). The client handles redirects,
/// limits and all other features.
///
/// Content codings (RFC 9110 section 8.4.1): requests accept `gzip` and `deflate`, and with the traits `Brotli` and
/// `Zstandard` also `br` and `zstd`, unless they have their own `Accept-Encoding`; requests for a `Range` accept no
/// coding. Bodies in these codings are decompressed as they stream, and `Limits.bodySize` applies to the decompressed
/// size. A body that is truncated, damaged, longer than its coding, or not in the coding of its `Content-Encoding` throws
/// a `Client.Error.transport(_:)` that names the coding. So do an unsupported coding and several codings, unless the
/// request accepts them: then the body is returned unchanged, with its `Content-Encoding`. Zeros and white space after a
/// coded body are ignored. Names that are no coding leave the body unchanged (`Response.unknownCoding`). A download saves the
/// bytes in any coding. Raw DEFLATE, which some servers send as `deflate`, and Brotli have no checksum, so that some
/// damage is not detected.
///
/// A request's `Expect` is not sent, because AsyncHTTPClient would not wait for the `100 (Continue)`. If a server
/// responds with a status of 300 or higher before the end of the body, the upload stops.
public struct AsyncHTTPClientTransport: Transport {
  /// `true`.
  public var isStoppable: Bool { true }
  private let clients: RoutedClients

  /// Creates a transport that uses your own client, which you shut down yourself.
  ///
  /// - Parameters:
  ///   - client: A client configured like `HTTPClient.Configuration.curlew`; in particular it must
  ///     neither follow redirects nor decompress responses itself, as `HTTPClient.shared` does. It uses
  ///     only the proxy of its own configuration, also for http servers through a tunnel.
  ///   - connectionsPerHost: The number of connections to a host in the client's configuration.
  ///     Further requests wait in the transport's queue, where only the time limit `Limits.total`
  ///     applies.
  public init(_ client: HTTPClient, connectionsPerHost: Int = 64) {
    let shared = SharedHTTPClient(own: client, connectionsPerHost: connectionsPerHost)
    clients = RoutedClients(shared, .none)
  }

  /// Creates a transport with its own TLS settings and its own connections.
  ///
  /// Copies of the transport share them. The connections are closed when the last copy and the last
  /// response are released, or by ``shutdown()``.
  ///
  /// - Parameters:
  ///   - tls: The trusted servers, and the client's certificate.
  ///   - proxy: The proxy; by default the proxies in the environment's variables, such as `https_proxy`.
  ///   - pingInterval: The interval of PINGs on HTTP/2 connections (RFC 9113 section 6.7), at least a
  ///     second; `nil` for none. A connection on which no byte arrives between two PINGs is closed, so
  ///     that its requests fail or are sent again long before their time limits. Without PINGs, a
  ///     connection is given up after the first request on it that is stopped without a byte from the
  ///     server.
  public init(
    tls: TLSSettings = TLSSettings(), proxy: Proxy = .environment, pingInterval: Duration? = nil
  ) {
    clients = RoutedClients(SharedHTTPClient(tls: tls, pingInterval: pingInterval), proxy)
  }

  init(_ clients: RoutedClients) {
    self.clients = clients
  }

  /// Sends a request and returns when the head of the response has arrived.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let shared = try clients.client(for: request)
    var resending = Resending()
    while true {
      let slot = try await shared.queue.slot(of: shared.route.origin(of: request), for: request)
      let transfer = Transfer(request, slot)
      do {
        request.stopOnTimeout(transfer)
        // On a shared connection (HTTP/2), the request only waits for a free stream, as in a queue.
        let start = resending.limitStart(of: request, isShared: !shared.isOwn)
        request.startLimit(.connect, start) {
          let waits = slot.waitsForTurn()
          if !waits, start == .halves { transfer.abandonPool() }
          return waits
        }
        let head = try await transfer.start(on: shared.client())
        let body = ResponseBody(of: transfer, on: shared)
        var response = try IncomingResponse(head, body, to: request, names: shared.fieldNames)
        response.trailers = { transfer.trailers }
        response.maskCredentials(of: shared.route.forwardingProxy, for: request)
        return response
      } catch {
        if let failure = transfer.bodyFailure { throw failure }
        let wait = resending.wait(
          request, after: error, of: transfer, in: slot, isShared: !shared.isOwn)
        if let wait {
          if wait > .zero { try await request.wait(for: wait) }
          continue
        }
        if !transfer.isSent, error as? HTTPClientError == .cancelled {
          throw Client.TransportFailure.closed
        }
        throw Client.TransportFailure.describing(
          error, from: shared.route.proxy?.authority ?? request.head.authority)
      }
    }
  }
}

extension Transport where Self == AsyncHTTPClientTransport {
  /// A transport on an `HTTPClient` that the whole process shares, created on first use.
  ///
  /// A program may end without shutting it down. To close its connections gracefully, call
  /// ``AsyncHTTPClientTransport/shutdownShared()`` first.
  ///
  /// It uses the proxies in the environment's variables (`Proxy.environment`).
  public static var asyncHTTPClient: Self { AsyncHTTPClientTransport(RoutedClients.process) }

  /// Returns a transport with its own connections and TLS settings: extra roots, a client
  /// certificate, pinned keys.
  ///
  /// Each call creates a transport: keep the transport, or its client, as long as there are requests. Its
  /// connections are closed when it is released.
  ///
  /// - Parameters:
  ///   - tls: The trusted servers, and the client's certificate.
  ///   - proxy: The proxy, such as `.none`; by default the proxies in the environment's variables.
  ///   - pingInterval: The interval of PINGs on HTTP/2 connections, which detect dead connections; see
  ///     ``AsyncHTTPClientTransport/init(tls:proxy:pingInterval:)``.
  public static func asyncHTTPClient(
    tls: TLSSettings = TLSSettings(), proxy: Proxy = .environment, pingInterval: Duration? = nil
  ) -> Self {
    AsyncHTTPClientTransport(tls: tls, proxy: proxy, pingInterval: pingInterval)
  }
}

extension AsyncHTTPClientTransport {
  /// Closes this transport's connections and returns when they are closed.
  ///
  /// Requests in flight fail. A later request makes new connections. Repeated and concurrent calls are
  /// safe. Your own client is not shut down.
  public func shutdown() async throws {
    try await clients.shutdown()
  }

  /// Shuts the process-wide client down and returns when all of its connections are closed.
  ///
  /// Requests in flight fail. A later request makes a new client. Repeated and concurrent calls are
  /// safe.
  public static func shutdownShared() async throws {
    try await RoutedClients.process.shutdown()
  }
}

extension HTTPClient.Configuration {
  /// The number of connections to a host: more than browsers' 6, because on a server one program
  /// serves many users.
  static let connectionsPerHost = 64

  /// Curlew's configuration of an `HTTPClient`.
  ///
  /// - Curlew handles redirects and time limits, except for a limit of 20 s to connect. Later requests wait
  ///   for a connection attempt in progress: with a longer limit, they could fail long after a server has
  ///   recovered.
  /// - At most 64 connections to a host, TLS 1.2 or later, and no tracing.
  /// - Content codings are decoded by the transport, which detects truncated bodies.
  /// - A failed connection attempt is an error at once; retries are left to middlewares.
  /// - The debug initializers of connections and streams keep unexpected bytes after a response from being
  ///   read as the next response, and responses that come too early or are malformed from ending the
  ///   process. They retire HTTP/2 connections that are silent, and return the streams of cancelled
  ///   requests. If you replace them, call them from your initializers.
  public static var curlew: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: TLSConfiguration(TLSSettings()),
      redirectConfiguration: .disallow,
      timeout: Timeout(connect: .seconds(20)),
      decompression: .disabled)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
    configuration.connectionPool.retryConnectionEstablishment = false
    // Spans contain the whole URL with its secrets, and cost time even without a tracer.
    configuration.tracing.tracer = nil
    // The only hooks for adding handlers.
    configuration.http1_1ConnectionDebugInitializer = { ResponseBoundary.watch($0) }
    configuration.http2ConnectionDebugInitializer = { ConnectionGuard.watch($0) }
    configuration.http2StreamChannelDebugInitializer = { StreamGuard.watch($0) }
    return configuration
  }
}
