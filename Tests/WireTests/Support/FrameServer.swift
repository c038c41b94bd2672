import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// An https server that sends HTTP/2 frames, valid or not, on a test's command.
final class FrameServer: Sendable {
  /// A client's connection, with functions that write frames to it.
  struct Connection: Sendable {
    /// The index of the connection, from 0.
    let number: Int
    let channel: any Channel

    func write(_ stream: HTTP2StreamID, _ payloads: HTTP2Frame.FramePayload...) {
      for payload in payloads {
        channel.write(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
      }
      channel.flush()
    }

    /// Sends a head; `nil` for a head without a status.
    func head(
      _ stream: HTTP2StreamID, _ status: String? = "200", _ fields: [(String, String)] = [],
      end: Bool = true
    ) {
      var headers = HPACKHeaders()
      if let status { headers.add(name: ":status", value: status) }
      for (name, value) in fields { headers.add(name: name, value: value) }
      write(stream, .headers(.init(headers: headers, endStream: end)))
    }

    /// Sends trailer fields, which end the stream.
    func trailers(_ stream: HTTP2StreamID, _ fields: [(String, String)]) {
      write(stream, .headers(.init(headers: HPACKHeaders(fields), endStream: true)))
    }

    /// Sends a head in several frames, with status 200 and fields of 100 bytes.
    func longHead(_ stream: HTTP2StreamID, size: Int) {
      // An index of the static table, then literals without indexing (RFC 7541 sections 6.1 and 6.2.2).
      var block = Data([0x88])
      while block.count < size {
        block += Data([0, 1]) + Data("x".utf8) + Data([97]) + Data(repeating: 97, count: 97)
      }
      var type = UInt8(1)
      while !block.isEmpty {
        let part = block.prefix(16_000)
        block = Data(block.dropFirst(part.count))
        var frame = ByteBuffer(bytes: [0])
        frame.writeInteger(UInt16(part.count))
        // END_STREAM in HEADERS, and END_HEADERS in the last frame.
        frame.writeBytes([type, (type == 1 ? 1 : 0) | (block.isEmpty ? 4 : 0)])
        frame.writeInteger(UInt32(Int(stream)))
        frame.writeBytes(part)
        write(frame)
        type = 9
      }
    }

    /// Sends the response `fine`.
    func respond(_ stream: HTTP2StreamID) {
      head(stream, end: false)
      let text = ByteBuffer(string: "fine")
      write(stream, .data(.init(data: .byteBuffer(text), endStream: true)))
    }

    /// Sends GOAWAY byte by byte, because NIO's server would treat later streams as a connection error, and stop
    /// responding.
    func goAway(last: HTTP2StreamID, _ code: UInt32 = 0) {
      var frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0])
      frame.writeInteger(UInt32(Int(last)))
      frame.writeInteger(code)
      write(frame)
    }

    /// Writes bytes that need not be frames; only on the connection's event loop.
    func write(_ bytes: ByteBuffer) {
      let context = try? channel.pipeline.syncOperations.context(handlerType: Bytes.self)
      context?.writeAndFlush(NIOAny(bytes), promise: nil)
    }

    /// Sends a head with status 200 though the client has reset the stream, as if they had crossed; only on the
    /// connection's event loop.
    func crossingHead(_ stream: HTTP2StreamID) {
      var frame = ByteBuffer(bytes: [0, 0, 1, 1, 5])
      frame.writeInteger(UInt32(Int(stream)))
      frame.writeInteger(UInt8(0x88))
      write(frame)
    }

    /// Sends nothing more, not even responses to PINGs; only on the connection's event loop.
    func mute() {
      (try? channel.pipeline.syncOperations.handler(type: Bytes.self))?.isMute = true
    }
  }

  /// The beginning of a connection after TLS.
  enum Beginning {
    case settings, silence, close
  }

  /// A test's function, called for each frame except connection control frames.
  typealias Handler = @Sendable (Connection, HTTP2Frame) -> Void

  private struct State {
    var connections = 0
    var openConnections = 0
    var pings = 0
    var resets: [HTTP2ErrorCode] = []
    var acknowledgements = 0
  }

  private let state = Mutex(State())

  /// The number of connections so far.
  var connections: Int { state.withLock { $0.connections } }
  /// The number of connections that are not closed.
  var openConnections: Int { state.withLock { $0.openConnections } }
  /// The number of PINGs from clients.
  var pings: Int { state.withLock { $0.pings } }
  /// The codes of the streams that the client reset.
  var resets: [HTTP2ErrorCode] { state.withLock { $0.resets } }

  /// The number of settings that clients acknowledged.
  var acknowledgements: Int { state.withLock { $0.acknowledgements } }

  /// A handler below HTTP/2, for writing raw bytes to TLS.
  private final class Bytes: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var isMute = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if isMute { promise?.succeed() } else { context.write(data, promise: promise) }
    }
  }

  /// Closes a connection at the first byte after TLS.
  private final class Closing: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      context.close(promise: nil)
    }
  }

  private final class Frames: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let server: FrameServer
    private let connection: Connection
    private let handler: Handler

    init(_ server: FrameServer, _ connection: Connection, _ handler: @escaping Handler) {
      (self.server, self.connection, self.handler) = (server, connection, handler)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      switch frame.payload {
      case .settings(.ack): server.state.withLock { $0.acknowledgements += 1 }
      case .ping(_, ack: false): server.state.withLock { $0.pings += 1 }
      case .settings, .ping, .windowUpdate, .goAway: break
      case .rstStream(let code): server.state.withLock { $0.resets.append(code) }
      default: handler(connection, frame)
      }
    }

    // Server errors are ignored: the test checks the client's result.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
  }

  fileprivate func start(
    _ certificate: TestCertificate, _ first: Beginning, _ later: Beginning,
    _ handler: @escaping Handler
  ) async throws -> any Channel {
    let context = try certificate.serverContext(protocols: ["h2"])
    return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        let number = self.state.withLock { state in
          state.connections += 1
          state.openConnections += 1
          return state.connections - 1
        }
        channel.closeFuture.whenComplete { _ in
          self.state.withLock { $0.openConnections -= 1 }
        }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers(NIOSSLServerHandler(context: context), Bytes())
          switch number == 0 ? first : later {
          case .silence: break
          case .close: try pipeline.addHandler(Closing())
          case .settings:
            try pipeline.addHandler(
              NIOHTTP2Handler(
                mode: .server, headerBlockValidation: .disabled, contentLengthValidation: .disabled)
            )
            let connection = Connection(number: number, channel: channel)
            try pipeline.addHandler(Frames(self, connection, handler))
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }
}

/// Runs a test with a frame server, and shuts it down.
///
/// - Parameters:
///   - first: The beginning of the first connection.
///   - later: The beginning of later connections.
func withFrameServer(
  _ certificate: TestCertificate, first: FrameServer.Beginning = .settings,
  later: FrameServer.Beginning = .settings,
  _ handler: @escaping FrameServer.Handler,
  _ test: (_ server: FrameServer, _ origin: String) async throws -> Void
) async throws {
  let server = FrameServer()
  let listener = try await server.start(certificate, first, later, handler)
  try await closing(listener) { try await test(server, "https://localhost:\($0)") }
}

extension HTTP2Frame {
  /// The path of a request's head; `nil` for other frames.
  var path: String? {
    if case .headers(let block) = payload { block.headers.first(name: ":path") } else { nil }
  }

  /// Whether the frame ends its request.
  var isEnd: Bool {
    switch payload {
    case .headers(let block): block.endStream
    case .data(let data): data.endStream
    default: false
    }
  }
}
