import NIOCore
import NIOHTTP1

/// Compresses the responses of one connection if their requests accept it.
///
/// Content that is written in one part keeps a `Content-Length`, with the length of the compressed
/// content.
final class CompressionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The requests without a response, in order.
  private var requests = CircularBuffer<CompressionPolicy>(initialCapacity: 1)
  /// The compressor of the current response; `nil` if it is not compressed.
  private var gzip: Gzip?
  /// The head of a compressed response and the length of its content, until the next write or
  /// flush.
  private var held: (head: HTTPResponseHead, length: Int, promise: EventLoopPromise<Void>?)?
  private var isHead = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { requests.append(CompressionPolicy(head)) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code >= 200: begin(head, promise, context)
    case .body(.byteBuffer(let bytes)) where gzip != nil:
      let compressed = compress(bytes)
      writeHead(context)
      context.write(wrapOutboundOut(.body(.byteBuffer(compressed))), promise: promise)
    case .body where isHead:
      context.write(wrapOutboundOut(.nothing), promise: promise)
    case .end:
      writeHead(context)
      if let end = gzip?.end() {
        context.write(wrapOutboundOut(.body(.byteBuffer(end))), promise: nil)
      }
      gzip = nil
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  func flush(context: ChannelHandlerContext) {
    writeHead(context)
    context.flush()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    held?.promise?.fail(ChannelError.ioOnClosedChannel)
  }

  private func begin(
    _ head: HTTPResponseHead, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    // A malformed request is refused even in the middle of a response.
    writeHead(context)
    gzip = nil
    isHead = requests.first?.isHead ?? false
    let length = head.headers.first(name: "content-length").flatMap(Int.init)
    var head = head
    if requests.popFirst()?.compresses(&head) ?? false, !isHead {
      gzip = Gzip()
      if let length {
        held = (head, length, promise)
        return
      }
    }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }

  /// Compresses a part of the content; if it is the complete content, also ends the stream and sets
  /// the length in the head.
  private func compress(_ bytes: ByteBuffer) -> ByteBuffer {
    var compressed = gzip?.compress(bytes) ?? bytes
    guard held?.length == bytes.readableBytes, let end = gzip?.end() else { return compressed }
    compressed.writeImmutableBuffer(end)
    held?.head.headers.add(name: "Content-Length", value: "\(compressed.readableBytes)")
    gzip = nil
    return compressed
  }

  private func writeHead(_ context: ChannelHandlerContext) {
    guard let (head, _, promise) = held.take() else { return }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}

extension HTTPServerResponsePart {
  /// An empty part, whose write only completes its promise.
  static var nothing: Self { .body(.byteBuffer(ByteBuffer())) }
}
