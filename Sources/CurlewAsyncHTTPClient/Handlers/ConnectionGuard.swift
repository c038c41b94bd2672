import NIOCore
import NIOHTTP2

/// Notes the last request that the server will process (GOAWAY, RFC 9113 section 6.8), closes a connection
/// after an error on it, and retires one with many resets.
///
/// After such an error NIO only sends GOAWAY: requests would wait for their time limits. And of more than 200
/// resets in half a minute NIO makes such an error, though nginx resets each stream whose response comes before
/// its body.
final class ConnectionGuard: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame

  /// The last stream that the server may process; `nil` before GOAWAY.
  private(set) var lastStream: HTTP2StreamID?
  /// The error for which the connection was closed.
  private(set) var failure: (any Error)?
  /// Leaves room for those of the requests that are under way: usually 100 or 128.
  private static let maximumResets = 64

  private var resets = 0
  private let goodbye: OutboundGoodbye

  private init(_ goodbye: OutboundGoodbye) {
    self.goodbye = goodbye
  }

  /// Adds the handlers to a connection.
  static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
      let goodbye = OutboundGoodbye()
      try pipeline.addHandler(goodbye, position: .before(http2))
      try pipeline.addHandler(ConnectionGuard(goodbye), position: .after(http2))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data).payload {
    case .goAway(let last, _, _): lastStream = min(last, lastStream ?? last)
    default: break
    }
    context.fireChannelRead(data)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard let closed = event as? StreamClosedEvent, closed.reason != nil else { return }
    resets += 1
    if resets == Self.maximumResets, lastStream == nil {
      // AsyncHTTPClient sends no more requests on it, and closes it after those that are under way.
      let payload = HTTP2Frame.FramePayload.goAway(
        lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
      context.fireChannelRead(
        wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard goodbye.isSent, failure == nil else { return }
    failure = error
    context.close(promise: nil)
  }
}

/// Sees that the client sends GOAWAY, which it does after an error of the whole connection, and not after
/// one of a stream.
private final class OutboundGoodbye: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private(set) var isSent = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // A frame's type is in its fourth byte (RFC 9113 section 4.1).
    if !isSent, case .byteBuffer(let frame) = unwrapOutboundIn(data), frame.readableBytes >= 17,
      frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self) == 7,
      frame.getInteger(at: frame.readerIndex + 5, as: UInt32.self) == 0
    {
      isSent = true
    }
    context.write(data, promise: promise)
  }
}
