import Curlew
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Holds the end of a response back until the request's body was sent, because AsyncHTTPClient can't
/// handle a response that ends earlier: over HTTP/2 it ends the process, over HTTP/1.1 it never reuses
/// nor closes the connection.
///
/// A successful response lets the upload go on. Over HTTP/2 sending stops when the server refuses (a
/// status from 300 on) or resets the stream with `NO_ERROR` (RFC 9113 section 8.1): then an empty part
/// of a body tells ``Transfer`` that the response is complete, and AsyncHTTPClient, which still waits for
/// the end of the request, hears nothing more. A server's own empty parts are dropped.
final class EarlyResponseHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  private let isStream: Bool
  private var hasBody = false
  /// Whether the end of the request was written, which a window, or a server that does not read, may hold up.
  private var isEndWritten = false
  /// Whether the connection has taken the whole request.
  private var isSent = true
  /// The bytes that the request's Content-Length still promises.
  private var unwritten: Int?
  /// Whether the connection has taken all of them; the end of the request, which adds no byte, may follow.
  ///
  /// From then on a complete response counts, however the connection or stream ends.
  private var isWhole = false
  /// The status of the final response; 0 before it.
  private var status: UInt = 0
  /// What came in one go, perhaps with the end, while the request is not sent: AsyncHTTPClient takes an end
  /// only with or after the parts that it asked for.
  private var parts: [HTTPClientResponsePart] = []
  private var end: HTTPClientResponsePart?
  /// Whether the response is complete, and AsyncHTTPClient must hear nothing more.
  fileprivate(set) var isComplete = false

  /// - Parameter isStream: Whether the channel is a stream of HTTP/2.
  init(isStream: Bool) {
    self.isStream = isStream
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isComplete {
      // Taken, so that nobody waits for it.
      promise?.succeed()
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(let head):
      (hasBody, isEndWritten, isSent, status, end) = (false, false, false, 0, nil)
      (unwritten, isWhole) = (head.headers.first(name: "content-length").flatMap { Int($0) }, false)
    case .body(let bytes):
      hasBody = true
      guard let rest = unwritten else { break }
      unwritten = rest - bytes.readableBytes
      guard unwritten == 0 else { break }
      return write(data, promise, context) { handler, _ in handler.isWhole = true }
    case .end:
      isEndWritten = true
      guard hasBody else {
        isSent = true
        break
      }
      return write(data, promise, context) { handler, context in
        handler.isSent = true
        // Not within the write, after which AsyncHTTPClient expects its request to be there.
        let bound = NIOLoopBound((handler, context), eventLoop: context.eventLoop)
        bound.eventLoop.execute {
          let (handler, context) = bound.value
          handler.deliverEnd(context)
        }
      }
    }
    context.write(data, promise: promise)
  }

  private func write(
    _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext,
    taken: @escaping @Sendable (EarlyResponseHandler, ChannelHandlerContext) -> Void
  ) {
    // Of its own, because the caller's may belong to another event loop.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.cascade(to: promise)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenSuccess { taken(bound.value.0, bound.value.1) }
    context.write(data, promise: sent)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isComplete || end != nil { return }
    // Nothing comes too early, as for each request without a body.
    if isSent, !isStream { return context.fireChannelRead(data) }
    let part = unwrapInboundIn(data)
    switch part {
    case .head(let head):
      if head.status.code >= 200 { status = head.status.code }
    case .body(let bytes):
      if isStream, bytes.readableBytes == 0 { return }
      if isStream, !isSent {
        parts.append(part)
        return
      }
    case .end(let trailers):
      if isSent { break }
      if !isStream, status >= 300 {
        // AsyncHTTPClient closes the connection, but without a part it would wait for the request's end.
        context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
        break
      }
      end = .end(trailers)
      if status >= 300 { complete(context) }
      return
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isComplete || end != nil { return }
    deliverParts(context)
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isComplete { return }
    if end != nil, isWhole || (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .noError {
      complete(context)
    } else {
      context.fireErrorCaught(error)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isComplete { return }
    if end != nil {
      // A stream ends when both sides have ended it; it also ends with its connection.
      if isSent || isEndWritten && context.channel.parent?.isActive == true {
        deliverEnd(context)
      } else if isWhole {
        // Such as a server that closes its connections after each response. AsyncHTTPClient would end the
        // process, or drop what it has yet to deliver, if it heard of the close as well.
        return complete(context)
      } else {
        context.fireErrorCaught(Client.TransportFailure.uploadCut)
      }
    }
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if !isComplete { context.fireChannelWritabilityChanged() }
  }

  private func complete(_ context: ChannelHandlerContext) {
    guard let end = end.take() else { return }
    // With the end AsyncHTTPClient takes all parts, however slowly they are read.
    deliverParts(context)
    context.fireChannelRead(wrapInboundOut(.body(ByteBuffer())))
    context.fireChannelRead(wrapInboundOut(end))
    isComplete = true
    context.close(promise: nil)
  }

  private func deliverParts(_ context: ChannelHandlerContext) {
    for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
    parts = []
  }

  private func deliverEnd(_ context: ChannelHandlerContext) {
    guard let end = end.take() else { return }
    deliverParts(context)
    context.fireChannelRead(wrapInboundOut(end))
    context.fireChannelReadComplete()
  }
}

/// Keeps a connection's shutdown from AsyncHTTPClient's handler of a stream whose response is complete.
final class ShutdownGuard: ChannelOutboundHandler {
  typealias OutboundIn = NIOAny

  private let early: EarlyResponseHandler

  init(_ early: EarlyResponseHandler) {
    self.early = early
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard !early.isComplete else {
      promise?.succeed()
      return
    }
    context.triggerUserOutboundEvent(event, promise: promise)
  }
}

extension Client.TransportFailure {
  fileprivate static let uploadCut = Client.TransportFailure(
    .lost, reason: "the response arrived, but the connection was closed before the upload ended")
}
