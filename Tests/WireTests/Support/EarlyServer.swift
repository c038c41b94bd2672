import CurlewTesting
import Foundation
import NIOCore
import NIOPosix
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
    /// Reads this many bytes of the body, then responds and closes.
    case takes(Int)
  }

  private struct State {
    var connections: [any Channel] = []
    var closed = 0
    var isEnding = false
    var bodies: [Int] = []
  }

  private let state = Mutex(State())

  /// The number of connections so far.
  var connections: Int { state.withLock { $0.connections.count } }
  private var closed: Int { state.withLock { $0.closed } }
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
        if case .takes(let size) = next {
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
      }
    }

    private func respond(_ context: ChannelHandlerContext) {
      let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)))
      switch next {
      case .reads: break
      // The head may arrive only now.
      case .stopsReading where server.state.withLock { $0.isEnding }: break
      case .stopsReading: context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
      case .closes, .takes:
        let channel = context.channel
        written.whenComplete { _ in channel.close(promise: nil) }
      }
    }
  }

  fileprivate func start(_ response: String, _ next: Next) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        self.state.withLock { $0.connections.append(channel) }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.closed += 1 } }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Connection(self, response, next))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }
}

/// Runs a test with an early server, and shuts it down.
func withEarlyServer(
  _ response: String, then next: EarlyServer.Next,
  _ test: (_ server: EarlyServer, _ origin: String) async throws -> Void
) async throws {
  let server = EarlyServer()
  let listener = try await server.start(response, next)
  try await closing(listener) { try await test(server, "http://127.0.0.1:\($0)") }
}
