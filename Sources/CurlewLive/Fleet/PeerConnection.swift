import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import Synchronization

/// A kept connection to another server, for one request at a time.
final class PeerConnection: Sendable {
  /// The connection has ended, or the time limit has passed.
  struct Closed: Error {}

  /// A response, or the beginning of a long one.
  struct Reply: Sendable {
    let head: HTTPResponse
    /// The body; `nil` if it is read by parts.
    var body: ByteBuffer?
  }

  private let channel: any Channel
  private let replies: NIOLoopBound<Replies>

  private init(_ channel: any Channel, _ replies: NIOLoopBound<Replies>) {
    (self.channel, self.replies) = (channel, replies)
  }

  deinit { channel.close(promise: nil) }

  /// Opens a connection; throws if nothing accepts it.
  static func open(to address: String, within time: Duration) async throws -> PeerConnection {
    let end = address.lastIndex(of: ":") ?? address.endIndex
    let host = address[..<end].drop { $0 == "[" }.prefix { $0 != "]" }
    let made = Mutex<NIOLoopBound<Replies>?>(nil)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(time))
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let replies = Replies(channel.eventLoop)
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(replies)
          made.withLock { $0 = NIOLoopBound(replies, eventLoop: channel.eventLoop) }
        }
      }
      .connect(host: String(host), port: Int(address[end...].dropFirst()) ?? 80).get()
    guard let replies = made.withLock({ $0 }) else { throw Closed() }
    return PeerConnection(channel, replies)
  }

  var isOpen: Bool { channel.isActive }

  /// Ends the connection, and with it the body that is being read.
  func close() { channel.close(promise: nil) }

  /// Sends a request, and returns its response.
  func send(_ head: HTTPRequest, _ body: ByteBuffer, within time: Duration) async throws -> Reply {
    let head = try HTTPRequestHead(head)
    return try await channel.eventLoop.flatSubmit { [replies] in
      replies.value.send(head, body, within: TimeAmount(time))
    }.get()
  }

  /// Returns the next bytes of a body that is read by parts; `nil` at its end.
  func read() async throws -> ByteBuffer? {
    try await channel.eventLoop.flatSubmit { [replies] in replies.value.read() }.get()
  }
}

/// Sends requests, and stops reading a long response while several of its parts wait.
private final class Replies: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// The maximum size of a body that is not read by parts, and the number of parts that may wait.
  private static let (bodySize, partCount) = (256 * 1024, 8)

  private let loop: any EventLoop
  private var context: ChannelHandlerContext?
  private var overdue: Scheduled<Void>?
  private var reply: EventLoopPromise<PeerConnection.Reply>?
  private var head: HTTPResponse?
  /// The parts of the body that have arrived; `nil` is its end.
  private var parts = CircularBuffer<ByteBuffer?>()
  private var next: EventLoopPromise<ByteBuffer?>?
  private var isReadHeld = false

  init(_ loop: any EventLoop) { self.loop = loop }

  func send(
    _ head: HTTPRequestHead, _ body: ByteBuffer, within time: TimeAmount
  ) -> EventLoopFuture<PeerConnection.Reply> {
    guard let context else { return loop.makeFailedFuture(PeerConnection.Closed()) }
    let reply = loop.makePromise(of: PeerConnection.Reply.self)
    (self.reply, self.head) = (reply, nil)
    parts.removeAll()
    overdue = loop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if body.readableBytes > 0 {
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    return reply.futureResult
  }

  func read() -> EventLoopFuture<ByteBuffer?> {
    if let part = parts.popFirst() {
      if isReadHeld, parts.count < Self.partCount {
        isReadHeld = false
        context?.read()
      }
      return loop.makeSucceededFuture(part)
    }
    guard context != nil else { return loop.makeFailedFuture(PeerConnection.Closed()) }
    let promise = loop.makePromise(of: ByteBuffer?.self)
    next = promise
    return promise.futureResult
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard head.status.code >= 200 else { return }
      self.head = try? HTTPResponse(head)
      if head.headers["Content-Type"].contains("text/event-stream") { succeed() }
    case .body(let bytes):
      add(bytes)
      if parts.reduce(0, { $0 + ($1?.readableBytes ?? 0) }) > Self.bodySize { succeed() }
    case .end:
      guard reply == nil else { return succeed(isComplete: true) }
      add(nil)
    }
  }

  private func add(_ part: ByteBuffer?) {
    if let next = next.take() { next.succeed(part) } else { parts.append(part) }
  }

  private func succeed(isComplete: Bool = false) {
    guard let reply = reply.take(), let head else { return }
    overdue?.cancel()
    var body: ByteBuffer?
    if isComplete {
      body = parts.popFirst() ?? ByteBuffer()
      for case let part? in parts { body?.writeImmutableBuffer(part) }
    }
    reply.succeed(.init(head: head, body: body))
  }

  func read(context: ChannelHandlerContext) {
    if reply != nil || parts.count < Self.partCount { context.read() } else { isReadHeld = true }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func end() {
    context = nil
    overdue?.cancel()
    reply.take()?.fail(PeerConnection.Closed())
    next.take()?.fail(PeerConnection.Closed())
  }
}
