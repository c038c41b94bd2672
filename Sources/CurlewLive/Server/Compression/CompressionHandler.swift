import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Compresses the responses of one connection that its clients want compressed.
///
/// A compressor is in the pipeline only while a response is being compressed. It takes 256 KB
/// and keeps the buffer of its largest response, which an idle connection or a stream of events
/// must not cost; and it traps when it sees a response that belongs to no request, which is how
/// malformed requests are refused. Streams of events have a smaller one, ``EventStreamGzip``.
final class CompressionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The requests without a response, in their order.
  private var requests = CircularBuffer<CompressionPolicy>(initialCapacity: 1)
  private var compressor: HTTPResponseCompressor?
  /// What compresses the stream of events that is being written.
  private var events: EventStreamGzip?
  private var isStarting = false
  private var isHead = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The compressor passes on the request that it was started with.
    guard !isStarting else { return }
    if case .head(let head) = unwrapInboundIn(data) { requests.append(CompressionPolicy(head)) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      context.write(wrapOutboundOut(.head(begin(head, context))), promise: promise)
    case .body where isHead:
      context.write(wrapOutboundOut(.nothing), promise: promise)
    case .body(.byteBuffer(let bytes)) where events != nil:
      let compressed = events?.compress(bytes) ?? bytes
      context.write(wrapOutboundOut(.body(.byteBuffer(compressed))), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end where isHead:
      // The encoder would end the chunks of a response whose length isn't known.
      isHead = false
      context.write(wrapOutboundOut(.nothing), promise: promise)
    case .end:
      if let end = events?.end() {
        context.write(wrapOutboundOut(.body(.byteBuffer(end))), promise: nil)
      }
      context.write(data, promise: promise)
      stop(context)
    }
  }

  private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext)
    -> HTTPResponseHead
  {
    guard head.status.code >= 200 else { return head }
    // A malformed request is refused even in the middle of a response.
    stop(context)
    isHead = requests.first?.isHead ?? false
    guard let policy = requests.popFirst() else { return head }
    var head = head
    let coding = policy.coding(of: &head)
    guard !isHead else { return head }
    switch coding {
    case .whole: start(context)
    case .events: events = EventStreamGzip()
    case nil: break
    }
    return head
  }

  private func start(_ context: ChannelHandlerContext) {
    let compressor = HTTPResponseCompressor(initialByteBufferCapacity: 0)
    let pipeline = context.pipeline.syncOperations
    do {
      try pipeline.addHandler(compressor, position: .before(self))
      self.compressor = compressor
      isStarting = true
      defer { isStarting = false }
      let request = HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/", headers: ["Accept-Encoding": "gzip"])
      compressor.channelRead(
        context: try pipeline.context(handler: compressor),
        data: NIOAny(HTTPServerRequestPart.head(request)))
    } catch {
      // The connection has been closed, so nobody will see the response.
    }
  }

  private func stop(_ context: ChannelHandlerContext) {
    events = nil
    guard let compressor else { return }
    self.compressor = nil
    context.pipeline.syncOperations.removeHandler(compressor, promise: nil)
  }
}

extension HTTPServerResponsePart {
  /// A part without bytes, which only fulfils its promise.
  fileprivate static var nothing: Self { .body(.byteBuffer(ByteBuffer())) }
}
