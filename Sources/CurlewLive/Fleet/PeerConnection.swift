import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import Synchronization

/// A kept connection to another server, for one request at a time.
final class PeerConnection: Sendable {
  /// The reason why a request has no response.
  enum Failure: Error {
    /// The connection ended, or the time limit has passed.
    case closed
  }

  private let channel: any Channel
  private let parts: NIOLoopBound<ResponseParts>

  private init(_ channel: any Channel, _ parts: NIOLoopBound<ResponseParts>) {
    (self.channel, self.parts) = (channel, parts)
  }

  deinit { channel.close(promise: nil) }

  /// Opens a connection; throws if nothing accepts it.
  static func open(to address: String, within time: Duration) async throws -> PeerConnection {
    let end = address.lastIndex(of: ":") ?? address.endIndex
    let host = address[..<end].drop { $0 == "[" }.prefix { $0 != "]" }
    let made = Mutex<NIOLoopBound<ResponseParts>?>(nil)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(time))
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let parts = ResponseParts(channel.eventLoop)
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(parts)
          made.withLock { $0 = NIOLoopBound(parts, eventLoop: channel.eventLoop) }
        }
      }
      .connect(host: String(host), port: Int(address[end...].dropFirst()) ?? 80).get()
    guard let parts = made.withLock({ $0 }) else { throw Failure.closed }
    return PeerConnection(channel, parts)
  }

  var isOpen: Bool { channel.isActive }

  /// Ends the connection, and with it the body that is being read.
  var close: @Sendable () -> Void { { [channel] in channel.close(promise: nil) } }

  /// Sends a request, and returns the head of its response.
  func send(
    _ head: HTTPRequest, _ body: ByteBuffer, within time: Duration
  ) async throws -> HTTPResponse {
    let head = try HTTPRequestHead(head)
    let overdue = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [channel] in
      channel.close(promise: nil)
    }
    defer { overdue.cancel() }
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if body.readableBytes > 0 {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    guard case .head(let response) = try await next() else { throw Failure.closed }
    return try HTTPResponse(response)
  }

  /// Returns the next bytes of the response's body; `nil` at its end.
  func read() async throws -> ByteBuffer? {
    switch try await next() {
    case .body(let bytes): bytes
    case .end: nil
    case .head: throw Failure.closed
    }
  }

  private func next() async throws -> HTTPClientResponsePart {
    try await channel.eventLoop.flatSubmit { [parts] in parts.value.next() }.get()
  }
}

/// Holds the parts of a response until they are wanted, and stops reading when there are many.
private final class ResponseParts: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  private let loop: any EventLoop
  private var parts = CircularBuffer<HTTPClientResponsePart>()
  private var waiting: EventLoopPromise<HTTPClientResponsePart>?
  private var context: ChannelHandlerContext?
  private var isReadHeld = false
  private var isClosed = false

  init(_ loop: any EventLoop) { self.loop = loop }

  func next() -> EventLoopFuture<HTTPClientResponsePart> {
    if let part = parts.popFirst() {
      if isReadHeld, parts.count < 8, let context {
        isReadHeld = false
        context.read()
      }
      return loop.makeSucceededFuture(part)
    }
    guard !isClosed else { return loop.makeFailedFuture(PeerConnection.Failure.closed) }
    let promise = loop.makePromise(of: HTTPClientResponsePart.self)
    waiting = promise
    return promise.futureResult
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if case .head(let head) = part, head.status.code < 200 { return }
    if let waiting = waiting.take() { waiting.succeed(part) } else { parts.append(part) }
  }

  func read(context: ChannelHandlerContext) {
    if parts.count < 8 { context.read() } else { isReadHeld = true }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func end() {
    isClosed = true
    context = nil
    waiting.take()?.fail(PeerConnection.Failure.closed)
  }
}
