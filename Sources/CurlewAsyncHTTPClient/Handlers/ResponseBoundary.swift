import Curlew
import NIOCore
import NIOHTTP1

/// Keeps bytes that follow a response from being read as the response to the next request, rejects
/// responses that AsyncHTTPClient can't handle, and detects connections that were closed while
/// idle.
///
/// AsyncHTTPClient returns a connection to its pool as soon as a response ends, and may write the
/// next request before it has read the bytes that arrived with that end. So this handler delays the
/// end until all bytes are read; if bytes follow the end, the connection is closed (RFC 9112
/// section 6.3). Bytes that arrive after the next request was sent can't be distinguished from its
/// response.
final class ResponseBoundary: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  /// Whether no request awaits a response, so that no bytes are expected; a request's body may still be sent.
  private(set) var isIdle = true
  /// The number of requests on the connection.
  private var requests = 0
  /// Whether a byte has arrived since the last request.
  var hasBytes = false
  /// Whether the final head has arrived, but not the end.
  private(set) var hasHead = false
  /// Whether the next head is passed as ISO 8859-1 (``Octets``).
  var isOpaque = false
  /// Whether the body of the response is chunked.
  var isChunked = false
  private var end: HTTPClientResponsePart?
  /// Whether the connection can't be reused: bytes follow the response, or its bytes were rewritten.
  var isFollowed = false
  private var isRefused = false

  /// Adds the handlers to an HTTP/1.1 connection, before its first request.
  static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      let boundary = ResponseBoundary()
      try pipeline.addHandler(boundary, position: .after(decoder))
      try pipeline.addHandler(ResponseBytes(boundary), position: .before(decoder))
      try pipeline.addHandler(EarlyResponseHandler(boundary), position: .after(boundary))
    }
  }

  /// Called for the head of each request; the parts of its body may follow an early response.
  func beginRequest() {
    (isIdle, hasBytes) = (false, false)
    requests += 1
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    guard end == nil else {
      isFollowed = true
      return
    }
    switch unwrapInboundIn(data) {
    case .head(let head) where head.status.code < 100:
      // AsyncHTTPClient treats it as an interim response, whose body would crash the process.
      isRefused = true
      let reason = "the response's status is \(head.status.code)"
      context.fireErrorCaught(Client.TransportFailure(.protocolError, reason: reason))
      context.close(promise: nil)
    case .head(var head):
      hasHead = head.status.code >= 200
      isChunked = hasHead && head.headers.contains(name: "Transfer-Encoding")
      guard isOpaque else { return context.fireChannelRead(data) }
      head.headers.add(name: Octets.responseMark, value: "")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .end(let trailers):
      end = .end(trailers)
    case .body:
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The response is complete; the error is in the bytes after it.
    if end != nil {
      isFollowed = true
    } else if hasHead, case HTTPParserError.invalidContentLength = error {
      // A trailer field after the whole body: NIO's parser rejects a `Content-Length` there, too. Trailers are not used.
      (end, isFollowed) = (.end(nil), true)
    } else {
      context.fireErrorCaught(isStale ? StaleConnectionError() : error)
    }
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
    if isStale { context.fireErrorCaught(StaleConnectionError()) }
    context.fireChannelInactive()
  }

  /// Whether the server closed the connection, or was about to, when the request was sent.
  private var isStale: Bool { !isIdle && !hasBytes && requests > 1 }

  private func deliverEnd(_ context: ChannelHandlerContext) {
    guard let end = end.take() else { return }
    (isIdle, hasHead) = (true, false)
    if isFollowed { context.fireChannelRead(wrapInboundOut(.head(.closing))) }
    if case .end(let trailers?) = end {
      context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(trailers: trailers))))
    }
    context.fireChannelRead(wrapInboundOut(end))
  }
}

extension HTTPResponseHead {
  /// An interim response, which AsyncHTTPClient ignores, except for its `Connection: close`: it neither reuses the
  /// connection nor fails the response (`HTTP1ConnectionStateMachine.channelRead`).
  static let closing = HTTPResponseHead(
    version: .http1_1, status: .processing, headers: ["Connection": "close"])
}
