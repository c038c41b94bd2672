import CurlewTesting
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// An HTTP/1.1 server that responds to a request's head, before its body or its end.
final class EarlyServer: Sendable {
  /// The action after the response.
  enum Next: Sendable {
    /// Reads the body, and then the next request.
    case reads
    case stopsReading
    case closes
    /// Reads this many bytes of the body, then responds and closes, with a reset or orderly.
    case takes(Int, resets: Bool = false)
    /// Reads the body, and then sends this text.
    case sends(String)
  }

  private struct State {
    var connections: [any Channel] = []
    var closed = 0
    var isEnding = false
    var bodies: [Int] = []
    var responses = 0
    var sent = 0
  }

  private let state = Mutex(State())

  /// The number of connections so far.
  var connections: Int { state.withLock { $0.connections.count } }
  var closed: Int { state.withLock { $0.closed } }
  /// The number of responses that were sent.
  var responses: Int { state.withLock { $0.responses } }
  /// The number of texts that were sent after a body.
  var sent: Int { state.withLock { $0.sent } }
  /// The size of each received body, including the chunk sizes.
  var bodies: [Int] { state.withLock { $0.bodies } }

  /// Resumes reading, so that the server sees the end, and waits until all connections are closed.
  func seesItsEnd() async {
    let connections = state.withLock { state in
      state.isEnding = true
      return state.connections
    }
    for channel in connections {
      channel.setOption(.autoRead, value: true).whenComplete { _ in }
    }
    await eventually { self.closed == self.connections }
  }

  private final class Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: EarlyServer
    private let response: String
    private let next: Next
    private var unread = Data()
    private var body: Int?

    init(_ server: EarlyServer, _ response: String, _ next: Next) {
      (self.server, self.response, self.next) = (server, response, next)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      unread.append(contentsOf: unwrapInboundIn(data).readableBytesView)
      // The next request may follow in the same read.
      while true {
        guard let count = body else {
          guard let end = unread.range(of: Data("\r\n\r\n".utf8)) else { return }
          unread = Data(unread[end.upperBound...])
          body = 0
          if case .takes = next { continue }
          respond(context)
          continue
        }
        if case .takes(let size, _) = next {
          if unread.count == size { respond(context) }
          return
        }
        guard let end = unread.range(of: Data("0\r\n\r\n".utf8)) else {
          body = count + max(0, unread.count - 8)
          unread = Data(unread.suffix(8))
          return
        }
        server.state.withLock { $0.bodies.append(count + end.upperBound) }
        (unread, body) = (Data(unread[end.upperBound...]), nil)
        guard case .sends(let text) = next else { continue }
        let server = server
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)))
          .whenSuccess { server.state.withLock { $0.sent += 1 } }
      }
    }

    private func respond(_ context: ChannelHandlerContext) {
      let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)))
      let server = server
      written.whenSuccess { server.state.withLock { $0.responses += 1 } }
      switch next {
      case .reads, .sends: break
      // The head may arrive only now.
      case .stopsReading where server.state.withLock { $0.isEnding }: break
      case .stopsReading: context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
      case .takes(_, resets: true):
        let channel = context.channel
        // With a linger time of 0, closing a connection resets it.
        let option = (channel as? any SocketOptionProvider)?
          .setSoLinger(linger(l_onoff: 1, l_linger: 0))
        written.and(option ?? written).whenComplete { _ in channel.close(promise: nil) }
      case .closes, .takes:
        let channel = context.channel
        written.whenComplete { _ in channel.close(promise: nil) }
      }
    }
  }

  fileprivate func start(
    _ response: String, _ next: Next, _ certificate: TestCertificate?
  ) async throws -> any Channel {
    let tls = try certificate?.serverContext(protocols: ["http/1.1"])
    return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        self.state.withLock { $0.connections.append(channel) }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.closed += 1 } }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
          try pipeline.addHandler(Connection(self, response, next))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }
}

/// Runs a test with an early server, and shuts it down.
func withEarlyServer(
  _ response: String, then next: EarlyServer.Next, certificate: TestCertificate? = nil,
  _ test: (_ server: EarlyServer, _ origin: String) async throws -> Void
) async throws {
  let server = EarlyServer()
  let listener = try await server.start(response, next, certificate)
  try await closing(listener) { port in
    try await test(
      server, certificate == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)")
  }
}
