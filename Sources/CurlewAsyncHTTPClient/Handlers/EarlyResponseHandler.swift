import Curlew
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Delays the end of a response until the request's body was sent, because AsyncHTTPClient can't handle a
/// response that ends earlier: over HTTP/2 it crashes the process, over HTTP/1.1 it neither reuses nor closes
/// the connection.
///
/// After a successful response, the upload continues. Over HTTP/2, sending stops when the server rejects the
/// request (a status of 300 or higher) or resets the stream with `NO_ERROR` (RFC 9113 section 8.1): then an
/// empty body part signals to ``Transfer`` that the response is complete, and AsyncHTTPClient, which still
/// waits for the end of the request, gets no further events. Empty parts from the server are dropped.
final class EarlyResponseHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// The connection's first handler; `nil` for a stream of HTTP/2.
  private let boundary: ResponseBoundary?
  private var isStream: Bool { boundary == nil }
  private var hasBody = false
  /// Whether the end of the request was written; flow control, or a server that does not read, may delay it.
  private var isEndWritten = false
  /// Whether the connection has sent the whole request.
  private var isSent = true
  /// The number of unwritten bytes of the request's `Content-Length`; `nil` without this field.
  private var unwritten: Int?
  /// Whether the connection has sent all of these bytes; the end of the request, which adds no byte, may
  /// follow.
  ///
  /// From then on, a complete response is valid, regardless of how the connection or stream ends.
  private var isWhole = false
  /// The status of the final response; 0 before it.
  private var status: UInt = 0
  /// The parts of one read, possibly with the end, before the request is sent: AsyncHTTPClient accepts an end
  /// only with or after the parts that it requested.
  private var parts: [HTTPClientResponsePart] = []
  private var end: HTTPClientResponsePart?
  /// Whether the response is complete, and AsyncHTTPClient must get no further events.
  fileprivate(set) var isComplete = false

  init(_ boundary: ResponseBoundary?) {
    self.boundary = boundary
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isComplete {
      // Succeeds, so that the writer doesn't wait for it.
      promise?.succeed()
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(let head):
      if head.headers.first?.name == Octets.requestMark {
        return writeOpaque(head, promise, context)
      }
      boundary?.beginRequest()
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
        // Not within the write, after which AsyncHTTPClient expects its request to exist.
        let bound = NIOLoopBound((handler, context), eventLoop: context.eventLoop)
        bound.eventLoop.execute {
          let (handler, context) = bound.value
          handler.deliverEnd(context)
        }
      }
    }
    context.write(data, promise: promise)
  }

  /// Writes a head with bytes that are not UTF-8.
  private func writeOpaque(
    _ head: HTTPRequestHead, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    var head = head
    let pipeline = context.pipeline.syncOperations
    if !isStream, let encoder = try? pipeline.handler(type: HTTPRequestEncoder.self) {
      head.headers = HTTPHeaders(head.headers.dropFirst().map { ($0.name, $0.value) })
      try? pipeline.addHandler(OctetsEncoder(), position: .before(encoder))
    } else {
      Octets.removeMark(from: &head.headers)
    }
    write(context: context, data: wrapOutboundOut(.head(head)), promise: promise)
  }

  private func write(
    _ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext,
    taken: @escaping @Sendable (EarlyResponseHandler, ChannelHandlerContext) -> Void
  ) {
    // A separate promise, because the caller's may belong to another event loop.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.cascade(to: promise)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenSuccess { taken(bound.value.0, bound.value.1) }
    context.write(data, promise: sent)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isComplete || end != nil { return }
    // The request is sent, so the response can't be early.
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
      if isStream, let trailers, !trailers.isEmpty {
        let signal = HTTPClientResponsePart.body(ByteBuffer(trailers: trailers))
        if isSent { context.fireChannelRead(wrapInboundOut(signal)) } else { parts.append(signal) }
      }
      if isSent { break }
      if !isStream, status >= 300 {
        // Without a part, AsyncHTTPClient would wait for the request's end; without the head, it would reuse a
        // connection whose server may not read the rest.
        context.fireChannelRead(wrapInboundOut(.head(.closing)))
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
        // For example, the server closes its connections after each response. If the close were forwarded,
        // AsyncHTTPClient would crash the process, or drop undelivered parts.
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
    // Otherwise AsyncHTTPClient would return the closed connection to its pool at the end of the upload. It does so
    // after a hop from the request's event loop (`HTTP1ClientChannelHandler.run`, `sendRequestEnd`), when the pool may
    // have dropped the connection: that ends the process (`HTTP1Connections.releaseConnection`).
    if !isStream { context.fireChannelRead(wrapInboundOut(.head(.closing))) }
    // With the end, AsyncHTTPClient accepts all parts, even if they are read slowly.
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
