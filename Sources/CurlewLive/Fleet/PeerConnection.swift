import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix

/// A kept connection to another server, for one request at a time.
final class PeerConnection: Sendable {
  /// The connection has ended, or the time limit has passed.
  struct Closed: Error {}

  /// A response with its whole body or, of a stream or a long body, its beginning.
  struct Reply: Sendable {
    let head: HTTPResponse
    var body = ByteBuffer()
    var isComplete = false
  }

  /// The size of a body that is read by parts.
  private static let bodySize = 256 * 1024

  private let channel: any Channel
  private let parts: NIOLoopBound<ResponseParts>

  private init(_ channel: any Channel, _ parts: NIOLoopBound<ResponseParts>) {
    (self.channel, self.parts) = (channel, parts)
  }

  deinit { close() }

  /// Opens a connection; throws if nothing accepts it.
  static func open(to address: String, within time: Duration) async throws -> PeerConnection {
    let end = address.lastIndex(of: ":") ?? address.endIndex
    let host = address[..<end].drop { $0 == "[" }.prefix { $0 != "]" }
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(time))
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      // A response is read as fast as the browser reads it.
      .channelOption(.autoRead, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(ResponseParts())
        }
      }
      .connect(host: String(host), port: Int(address[end...].dropFirst()) ?? 80).get()
    let parts = channel.eventLoop.submit {
      let parts = try channel.pipeline.syncOperations.handler(type: ResponseParts.self)
      return NIOLoopBound(parts, eventLoop: channel.eventLoop)
    }
    return PeerConnection(channel, try await parts.get())
  }

  /// Ends the connection, and with it the body that is being read.
  func close() { channel.close(promise: nil) }

  /// Sends a request, and returns its response.
  func send(_ head: HTTPRequest, _ body: ByteBuffer, within time: Duration) async throws -> Reply {
    guard channel.isActive else { throw Closed() }
    let overdue = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [channel] in
      channel.close(promise: nil)
    }
    defer { overdue.cancel() }
    channel.write(HTTPClientRequestPart.head(try HTTPRequestHead(head)), promise: nil)
    if body.readableBytes > 0 {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    guard case .head(let head) = try await next() else { throw Closed() }
    var reply = Reply(head: try HTTPResponse(head))
    let isStream = reply.head.headerFields[.contentType] == "text/event-stream"
    while !isStream, !reply.isComplete, reply.body.readableBytes <= Self.bodySize {
      if let bytes = try await read() {
        reply.body.writeImmutableBuffer(bytes)
      } else {
        reply.isComplete = true
      }
    }
    return reply
  }

  /// Returns the next bytes of a body; `nil` at its end.
  func read() async throws -> ByteBuffer? {
    if case .body(let bytes) = try await next() { bytes } else { nil }
  }

  private func next() async throws -> HTTPClientResponsePart {
    try await channel.eventLoop.flatSubmit { [channel, parts] in
      parts.value.next(on: channel)
    }.get()
  }
}

/// The parts of responses that have arrived; more are read when none is left.
private final class ResponseParts: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private var waiting = CircularBuffer<HTTPClientResponsePart>()
  private var promise: EventLoopPromise<HTTPClientResponsePart>?

  func next(on channel: any Channel) -> EventLoopFuture<HTTPClientResponsePart> {
    let promise = channel.eventLoop.makePromise(of: HTTPClientResponsePart.self)
    if let part = waiting.popFirst() {
      promise.succeed(part)
    } else if channel.isActive {
      self.promise = promise
      channel.read()
    } else {
      promise.fail(PeerConnection.Closed())
    }
    return promise.futureResult
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if case .head(let head) = part, head.status.code < 200 { return }
    if let promise = promise.take() { promise.succeed(part) } else { waiting.append(part) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if promise != nil { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.take()?.fail(PeerConnection.Closed())
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
