public import AsyncHTTPClient
public import Curlew
import HTTPTypes
import NIOCore
import NIOSSL

/// Sends requests with AsyncHTTPClient: the transport of choice on Linux and on servers.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") { $0.transport = .asyncHTTPClient }
/// ```
///
/// For roots, client certificates and pinned keys of your own, say `.asyncHTTPClient(tls:)`.
///
/// It speaks HTTP/2 where the server does, and keeps connections for later requests. A body that is
/// dropped before its end closes its connection (its stream in HTTP/2). The client sees to redirects,
/// limits and everything else.
///
/// Content codings (RFC 9110 section 8.4.1): it asks for `gzip` and `deflate`, and undoes them while
/// the body is read, also several on top of each other, and also when a request has an
/// `Accept-Encoding` of its own, which is sent as it is. A request for a `Range` asks for no coding.
/// ``Limits/bodySize`` counts what comes out. A body that is cut off, damaged, longer than its coding
/// or in another coding than its `Content-Encoding` says is a ``Client/Error/transport(_:)`` that
/// names the coding; so is a coding that is not undone, unless the request itself asked for it: then
/// its body is handed over as it is, with the `Content-Encoding` that is left. Brotli and Zstandard
/// are not undone: there is no Swift package for them to build on. DEFLATE without a wrapping, which
/// some servers send as `deflate`, has no checksum: there, not all damage can be seen.
public struct AsyncHTTPClientTransport: StoppableTransport {
  private enum Source: Sendable {
    case own(HTTPClient)
    case shared(SharedHTTPClient)
  }

  private let source: Source
  private let queue: RequestQueue

  /// Creates a transport on a client of the caller's, who shuts it down in the end.
  ///
  /// - Parameters:
  ///   - client: Should be configured like `HTTPClient.Configuration.curlew`; above all it must neither
  ///     follow redirects nor decompress responses itself, as `HTTPClient.shared` does.
  ///   - connectionsPerHost: How many connections to a host the client's pool makes, as its
  ///     configuration says: further requests wait here, where no time limit but ``Limits/total`` runs.
  public init(_ client: HTTPClient, connectionsPerHost: Int = 64) {
    source = .own(client)
    queue = RequestQueue(limit: connectionsPerHost)
  }

  /// Creates a transport with TLS settings of its own, and connections of its own.
  ///
  /// Its copies share them. They are closed when the last copy and the last response are gone, or by
  /// ``shutdown()``.
  public init(tls: TLSSettings) {
    self.init(SharedHTTPClient(tls: tls))
  }

  init(_ shared: SharedHTTPClient) {
    source = .shared(shared)
    queue = shared.queue
  }

  /// Sends a request and returns once the head of the response is there.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let slot = try await queue.slot(of: request.origin, for: request)
    let transfer = Transfer(request, slot)
    do {
      request.stops(transfer)
      // On a shared connection only a free stream is awaited, which is a queue, too.
      request.awaits(.connect) { slot.sharesConnection }
      let head = try await transfer.start(HTTPClient.Request(request), on: client)
      return try IncomingResponse(head, Reading(transfer, on: shared), to: request)
    } catch {
      if !transfer.isSent, isMissed(error) { return try await send(request) }
      // A client of the caller's may have other settings, and use a proxy.
      let tls = shared.map { $0.tls ?? TLSSettings() }
      throw TransportError.describing(error, from: request.head.authority, tls: tls)
    }
  }

  /// Whether a request met a connection, or a whole client, that was closed just before it: nothing
  /// of it was sent, and another one can take it.
  private func isMissed(_ error: any Error) -> Bool {
    if error as? ChannelError == .ioOnClosedChannel { return true }
    guard case .shared = source else { return false }
    return error as? HTTPClientError == .alreadyShutdown
  }

  private var client: HTTPClient {
    switch source {
    case .own(let client): client
    case .shared(let shared): shared.client()
    }
  }

  private var shared: SharedHTTPClient? {
    guard case .shared(let shared) = source else { return nil }
    return shared
  }
}

extension Transport where Self == AsyncHTTPClientTransport {
  /// Sends requests with one `HTTPClient` that the whole process shares, made when first used.
  ///
  /// A program may end without further ado; one that wants its connections closed in order calls
  /// ``AsyncHTTPClientTransport/shutdownShared()`` first.
  public static var asyncHTTPClient: Self { AsyncHTTPClientTransport(SharedHTTPClient.process) }

  /// Sends requests with TLS settings and connections of its own: extra roots, a client certificate,
  /// pinned keys.
  ///
  /// Keep it, or the client that has it, for as long as there are requests: each call makes another
  /// one. Its connections are closed when nobody holds it any more.
  public static func asyncHTTPClient(tls: TLSSettings) -> Self {
    AsyncHTTPClientTransport(tls: tls)
  }
}

extension AsyncHTTPClientTransport {
  /// Closes this transport's connections and returns when they are closed.
  ///
  /// Requests in flight fail. A later request simply makes new ones; calling this again, or at the
  /// same time, does no harm. A client of the caller's is left alone.
  public func shutdown() async throws {
    try await shared?.shutdown()
  }

  /// Shuts the process-wide client down and returns when all of its connections are closed.
  ///
  /// Requests in flight fail. A later request simply makes a new client; calling this again, or at
  /// the same time, does no harm.
  public static func shutdownShared() async throws {
    try await SharedHTTPClient.process.shutdown()
  }
}

extension HTTPClient.Configuration {
  /// More than browsers' 6, because one program serves many users on a server.
  static let connectionsPerHost = 64

  /// How Curlew configures an `HTTPClient`.
  ///
  /// No redirects and no time limits but 20 s for a connection, because the client has its own; later
  /// requests wait for a connection that is being made, however long that takes, so that a shorter time
  /// makes them fail less long after a server has come back. 64 connections to one host; content codings left to the transport, which takes no cut body for a
  /// whole one; TLS 1.2 at least; no tracing of its own; and a connection that can't be made is an
  /// error at once: whether to try again is for a middleware to say. The debug initializer of its
  /// connections keeps bytes that follow a response from the next request; one of yours calls it too.
  public static var curlew: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: TLSConfiguration(TLSSettings()),
      redirectConfiguration: .disallow,
      timeout: Timeout(connect: .seconds(20)),
      decompression: .disabled)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
    configuration.connectionPool.retryConnectionEstablishment = false
    // Its spans hold the whole URL, secrets included, and cost something without any tracer too.
    configuration.tracing.tracer = nil
    // The only place at which a connection can be given handlers of ours.
    configuration.http1_1ConnectionDebugInitializer = { ResponseBoundary.watch($0) }
    return configuration
  }
}
