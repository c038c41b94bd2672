import NIOCore
import NIOHTTP1

/// Enforces a server's limits for one connection: the number of connections, the client's time
/// limits, and the host names of the server.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The number of parts of a body, such as chunks, that may be of any length, and the average length of further parts:
  /// one-byte chunks cost a hundred times the processor time of the same bytes in one part.
  private static let (freeParts, partLength) = (1_000, 16)

  private let connections: LiveConnections
  private var limits: LiveServerLimits { connections.limits }
  private var id: Int?
  private var peer: IPAddress?
  /// The requests whose responses have not ended, in order.
  private var requests = CircularBuffer<(client: IPAddress?, isHead: Bool, isLast: Bool)>(
    initialCapacity: 1)
  private var isReadingBody = false
  /// The parts of the request's body that have arrived, and their bytes.
  private var body = (parts: 0, bytes: 0)
  /// Whether the head of a response has been written, and its end has not.
  private var isResponding = false
  private var isStreaming = false
  private var isInputClosed = false
  /// Whether a request was refused; all further input is then ignored.
  private var isRefused = false
  /// The task that closes the connection when a request does not arrive in time.
  private var deadline: Scheduled<Void>?
  /// The task that closes the connection when the client has read nothing of a response in time.
  private var stall: Scheduled<Void>?
  /// The number of completed writes.
  private var written = 0

  init(_ connections: LiveConnections) {
    self.connections = connections
  }

  // MARK: The connection

  func channelActive(context: ChannelHandlerContext) {
    peer = context.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
    id = connections.open(context.channel, from: peer)
    if id == nil {
      connections.count(.limit)
      isRefused = true
      context.close(promise: nil)
    } else {
      close(.header, after: limits.headerTime, context)
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    stall?.cancel()
    if let id { connections.close(id) }
    id = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent {
      isInputClosed = true
      endAbandonedStream(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Closes the connection of a stream whose client has closed its own side and therefore has
  /// disconnected.
  private func endAbandonedStream(_ context: ChannelHandlerContext) {
    if isStreaming, isInputClosed { context.close(promise: nil) }
  }

  private func close(
    _ reason: LiveConnections.Reason, after time: Duration, _ context: ChannelHandlerContext
  ) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
      [connections] in
      connections.count(reason)
      context.close(promise: nil)
    }
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(var head):
      if let refusal = connections.names.refusal(of: head) {
        return refuse(refusal.status, refusal.text, counting: .host, context)
      }
      let client = peer.map { connections.proxies.client(from: $0) { head.headers[$0] } }
      // The decoder parses nothing after such a request.
      let isLast = head.method == .CONNECT || head.headers.contains(name: "upgrade")
      if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      requests.append((client, head.method == .HEAD, isLast))
      (isReadingBody, body) = (true, (0, 0))
      if let id, requests.count == 1 { connections.set(.responding, of: id) }
      close(.body, after: limits.bodyTime, context)
      return context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body(let bytes):
      body = (body.parts + 1, body.bytes + bytes.readableBytes)
      guard body.parts > Self.freeParts + body.bytes / Self.partLength else { break }
      let text = "The request's body consists of too many small chunks.\n"
      return refuse(.badRequest, text, counting: .body, context)
    case .end:
      isReadingBody = false
      deadline?.cancel()
      waitForRequest(context)
    }
    context.fireChannelRead(data)
  }

  /// Starts to wait for the next request, unless a request or a response is in progress.
  private func waitForRequest(_ context: ChannelHandlerContext) {
    guard requests.isEmpty, !isReadingBody, context.channel.isActive else { return }
    if let id { connections.set(.waiting, of: id) }
    close(.header, after: limits.idleTime, context)
  }

  private func refuse(
    _ status: HTTPResponseStatus, _ text: String, counting reason: LiveConnections.Reason,
    _ context: ChannelHandlerContext
  ) {
    isRefused = true
    // A client that is still sending would not see the response if the connection were closed
    // immediately.
    close(reason, after: .seconds(1), context)
    // The refusal can't be sent before or in the middle of another response.
    guard requests.count == (isReadingBody ? 1 : 0), !isResponding else {
      return context.close(promise: nil)
    }
    let head = HTTPResponseHead(
      version: .http1_1, status: status,
      headers: [
        "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(text.utf8.count)",
        "Connection": "close",
      ])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = ByteBuffer(string: text)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      loopBound.value.close(mode: .output, promise: nil)
    }
  }

  // MARK: Writing

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var part = unwrapOutboundIn(data)
    // The application's response, after a refusal of the request's body.
    guard !isRefused else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch part {
    case .head(var head) where head.status.code >= 200:
      isResponding = true
      if requests.first?.isLast == true {
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        part = .head(head)
      }
      isStreaming = head.headers["Content-Type"].contains { $0.hasPrefix("text/event-stream") }
      if isStreaming, let id { connections.beginStream(id, for: requests.first?.client ?? peer) }
    case .body(.byteBuffer(let bytes)) where isStreaming:
      connections.count(streamed: bytes.readableBytes)
    default: break
    }
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.written += 1 }
    if case .end = part, requests.first?.isHead == true {
      // The encoder would end a response of unknown length with a chunk, which a response to `HEAD`
      // must not have.
      context.write(wrapOutboundOut(.nothing), promise: promise)
    } else {
      context.write(wrapOutboundOut(part), promise: promise)
    }
    if case .head = part { endAbandonedStream(context) }
    if case .end = part {
      _ = requests.popFirst()
      (isResponding, isStreaming) = (false, false)
      // A request that has arrived in the meantime is next.
      if let id, !requests.isEmpty { connections.set(.responding, of: id) }
      waitForRequest(context)
      // The rest of a refused body is not worth the connection, but a client that is still sending would not see the
      // response if the connection were closed immediately.
      if isReadingBody, requests.isEmpty {
        close(.body, after: min(limits.bodyTime, .seconds(1)), context)
      }
    }
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if stall == nil { watchWriting(context) }
  }

  /// Closes the connection when the client has read nothing for ``LiveServerLimits/writeTime``.
  private func watchWriting(_ context: ChannelHandlerContext) {
    stall = nil
    let (before, written) = (buffered(context), written)
    guard before > 0, context.channel.isActive else { return }
    stall = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.writeTime)) {
      [connections] in
      if self.written == written, self.buffered(context) >= before {
        connections.count(.write)
        context.close(promise: nil)
      } else {
        self.watchWriting(context)
      }
    }
  }

  private func buffered(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
