import Curlew
import NIOCore
import NIOHTTP1

/// Sees to it that bytes which follow a response don't response the next request, and that nothing gets
/// to AsyncHTTPClient which it can't take.
///
/// AsyncHTTPClient gives a connection back to its pool as soon as a response ends, and may write the
/// next request to it before it has looked at what came with that end. So the end waits until all
/// that came with it is seen; if there was more, the connection is closed (RFC 9112 section 6.3).
/// What comes later still, with the next request already on its way, looks like its response.
final class ResponseBoundary: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// Whether nothing may come, because nothing was asked.
  private(set) var isIdle = true
  private var end: HTTPClientResponsePart?
  private var isFollowed = false
  private var isRefused = false

  /// Watches a connection of HTTP/1.1 from its first request on.
  static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      let boundary = ResponseBoundary()
      try pipeline.addHandler(boundary, position: .after(decoder))
      try pipeline.addHandler(UnexpectedBytes(boundary), position: .before(decoder))
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isIdle, case .head = unwrapOutboundIn(data) { isIdle = false }
    context.write(data, promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    guard end == nil else {
      isFollowed = true
      return
    }
    switch unwrapInboundIn(data) {
    case .head(let head) where head.status.code < 100:
      // To AsyncHTTPClient an interim response, whose body would end the process.
      isRefused = true
      let reason = "the response's status is \(head.status.code)"
      context.fireErrorCaught(TransportError(.protocolError, reason: reason))
      context.close(promise: nil)
    case .end(let trailers):
      end = .end(trailers)
    default:
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The response is whole; what is wrong is what follows it.
    if end != nil { isFollowed = true } else { context.fireErrorCaught(error) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    deliverEnd(context)
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    deliverEnd(context)
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deliverEnd(context)
    context.fireChannelInactive()
  }

  private func deliverEnd(_ context: ChannelHandlerContext) {
    guard let end = end.take() else { return }
    isIdle = true
    if isFollowed {
      // AsyncHTTPClient skips interim responses, but for this word of theirs: so it neither reuses the
      // connection nor fails the response.
      let head = HTTPResponseHead(
        version: .http1_1, status: .processing, headers: ["Connection": "close"])
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }
    context.fireChannelRead(wrapInboundOut(end))
  }
}

/// Closes a connection on which something comes that nobody asked for: the beginning of a response,
/// which is no error by itself, would be taken for that of the next request's.
private final class UnexpectedBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let boundary: ResponseBoundary

  init(_ boundary: ResponseBoundary) {
    self.boundary = boundary
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if boundary.isIdle { context.close(promise: nil) } else { context.fireChannelRead(data) }
  }
}
