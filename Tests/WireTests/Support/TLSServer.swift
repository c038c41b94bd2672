import Curlew
import CurlewAsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport
import Testing

/// An https server on loopback that supports HTTP/1.1 and HTTP/2.
final class TLSServer: Sendable {
  typealias Handler = @Sendable (TLSExchange) async throws -> Void

  struct Options: Sendable {
    /// The offered protocols (ALPN), in order.
    var protocols = ["h2", "http/1.1"]
    /// The accepted issuer of client certificates; `nil` if no client certificate is requested.
    var clientRoots: TestCertificate?
    var newestVersion = TLSVersion.tlsv13
  }

  private struct State {
    var port = 0
    var connections: [ObjectIdentifier] = []
    var requests: [TLSRequest] = []
    var tasks: [Task<Void, Never>] = []
    var resets: [NIOHTTP2.HTTP2ErrorCode] = []
  }

  private let handler: Handler
  private let context: NIOSSLContext
  private let state = Mutex(State())

  fileprivate init(
    _ certificate: TestCertificate, _ options: Options, _ handler: @escaping Handler
  ) throws {
    self.handler = handler
    context = try certificate.serverContext(protocols: options.protocols) { configuration in
      configuration.maximumTLSVersion = options.newestVersion
      if let roots = options.clientRoots {
        let root = try NIOSSLCertificate(bytes: Array(roots.der), format: .der)
        configuration.trustRoots = .certificates([root])
        configuration.certificateVerification = .noHostnameVerification
      }
    }
  }

  var requests: [TLSRequest] { state.withLock { $0.requests } }
  /// The number of connections so far, including connections without a handshake.
  var connections: Int { state.withLock { $0.connections.count } }
  /// The codes of the streams that the client reset.
  var resets: [NIOHTTP2.HTTP2ErrorCode] { state.withLock { $0.resets } }
  var port: Int { state.withLock { $0.port } }
  var origin: String { "https://localhost:\(port)" }

  fileprivate func start() async throws -> any Channel {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        self.state.withLock { $0.connections.append(ObjectIdentifier(channel)) }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: self.context))
        }.flatMap {
          channel.configureCommonHTTPServerPipeline { channel in
            channel.eventLoop.makeCompletedFuture { try self.accept(channel) }
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    return listener
  }

  /// Accepts an HTTP/1.1 connection, or an HTTP/2 stream.
  private func accept(_ channel: any Channel) throws {
    let wrapped = try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
      wrappingChannelSynchronously: channel)
    state.withLock { state in
      state.tasks.append(
        Task {
          do {
            try await self.serve(wrapped)
          } catch let error as NIOHTTP2Errors.StreamClosed {
            self.state.withLock { $0.resets.append(error.errorCode) }
          } catch {
            // Server errors are ignored: the test checks the client's result.
          }
        })
    }
  }

  private func serve(
    _ wrapped: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  ) async throws {
    let channel = wrapped.channel
    let isStream = channel.parent?.parent != nil
    let connection = isStream ? channel.parent ?? channel : channel
    let number = state.withLock { $0.connections.firstIndex(of: ObjectIdentifier(connection)) }
    try await withTaskCancellationHandler {
      try await wrapped.executeThenClose { inbound, outbound in
        let client = try await connection.nioSSL_peerCertificate().get()
        var request = TLSRequest(
          connection: number ?? -1, isHTTP2: isStream, hasClientCertificate: client != nil)
        for try await part in inbound {
          switch part {
          case .head(let head):
            request.head = head
            request.body = Data()
          case .body(let bytes): request.body.append(contentsOf: bytes.readableBytesView)
          case .end:
            state.withLock { [request] in $0.requests.append(request) }
            try await handler(TLSExchange(request: request, channel: channel, outbound: outbound))
          }
        }
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  fileprivate func stop(_ listener: any Channel) async {
    try? await listener.close()
    let tasks = state.withLock { $0.tasks }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

/// A request received by the server.
struct TLSRequest: Sendable {
  /// The index of the request's connection, from 0.
  let connection: Int
  let isHTTP2: Bool
  let hasClientCertificate: Bool
  var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
  var body = Data()
}

/// A request at the server, with functions that respond to it.
struct TLSExchange: Sendable {
  let request: TLSRequest
  let channel: any Channel
  let outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  func respond(
    _ status: HTTPResponseStatus = .ok, _ fields: HTTPHeaders = [:], _ body: some DataProtocol
  ) async throws {
    var fields = fields
    fields.add(name: "content-length", value: "\(body.count)")
    try await begin(status, fields)
    try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
    try await end()
  }

  func respond(
    _ status: HTTPResponseStatus = .ok, _ fields: HTTPHeaders = [:], _ body: String = ""
  ) async throws {
    try await respond(status, fields, Data(body.utf8))
  }

  /// Sends the head of a response.
  func begin(_ status: HTTPResponseStatus = .ok, _ fields: HTTPHeaders = [:]) async throws {
    try await outbound.write(
      .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)))
  }

  /// Sends a piece of a body.
  func write(_ text: String) async throws {
    try await outbound.write(.body(.byteBuffer(ByteBuffer(string: text))))
  }

  func end() async throws {
    try await outbound.write(.end(nil))
  }

  /// Waits until the client has closed the connection or its stream.
  func closed() async {
    try? await channel.closeFuture.get()
  }
}

/// Runs a test with an https server, and shuts it down.
func withTLSServer<Value>(
  _ certificate: TestCertificate, options: TLSServer.Options = TLSServer.Options(),
  handler: @escaping TLSServer.Handler = { try await $0.respond(.ok, [:], "fine") },
  _ test: (TLSServer) async throws -> Value,
  afterwards: (TLSServer) -> Void = { _ in }
) async throws -> Value {
  let server = try TLSServer(certificate, options, handler)
  let listener = try await server.start()
  let result: Result<Value, any Error>
  do {
    result = .success(try await test(server))
  } catch {
    result = .failure(error)
  }
  await server.stop(listener)
  afterwards(server)
  return try result.get()
}

/// Runs a test with the port of a listener, and closes the listener.
func closing(_ listener: any Channel, _ test: (_ port: Int) async throws -> Void) async throws {
  let result: Result<Void, any Error>
  do {
    result = .success(try await test(listener.localAddress?.port ?? 0))
  } catch {
    result = .failure(error)
  }
  try? await listener.close()
  try result.get()
}

/// Runs a test with a server whose connections only the test's function handles.
func withConnections(
  _ accept: @escaping @Sendable (any Channel) -> Void,
  _ test: (_ origin: String) async throws -> Void
) async throws {
  let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .childChannelInitializer { channel in
      // Not in the initializer: the channel is not active yet.
      channel.eventLoop.execute { accept(channel) }
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    .bind(host: "127.0.0.1", port: 0).get()
  try await closing(listener) { try await test("https://localhost:\($0)") }
}

extension Client {
  /// Creates a client of a server, with specific TLS settings.
  static func tls(
    _ origin: String, trusting root: TestCertificate?,
    _ change: (inout TLSSettings) throws -> Void = { _ in },
    configure: (inout Configuration) -> Void = { _ in }
  ) throws -> Client {
    var tls = TLSSettings()
    if let root { tls.trust.roots = .only(try root.certificates) }
    try change(&tls)
    return Client(baseURL: try BaseURL(origin)) {
      $0.transport = .asyncHTTPClient(tls: tls)
      configure(&$0)
    }
  }
}
