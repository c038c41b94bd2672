import Curlew
import NIOCore
import NIOHTTP2
import NIOSSL

/// Records the last request that the server will process (GOAWAY, RFC 9113 section 6.8), closes a connection
/// after a connection error, and retires a connection that is silent or has many resets.
///
/// After a connection error, NIO only sends GOAWAY: requests would wait for their time limits. NIO also treats
/// more than 200 resets in half a minute as a connection error, but nginx resets each stream whose response
/// ends before the request's body.
final class ConnectionGuard: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame
  typealias InboundOut = HTTP2Frame

  /// The last stream that the server may process; `nil` before GOAWAY.
  private(set) var lastStream: HTTP2StreamID?
  /// The error for which the connection was closed.
  private(set) var failure: (any Error)?
  /// The number of resets after which a connection is retired; it leaves room for resets of the requests in
  /// flight, usually 100 or 128.
  private static let maximumResets = 64

  let frames: RawFrames
  private let pingInterval: TimeAmount?
  private var isRetired = false
  /// The context; `nil` when the connection is closed.
  private(set) var context: ChannelHandlerContext?
  var idle = IdleSettings()
  /// The stream whose end is awaited while it is returned.
  var returned: HTTP2StreamID?
  /// The next PING of the interval.
  var nextPing: Scheduled<Void>?
  /// Whether a probe runs.
  var isProbing = false

  private init(_ frames: RawFrames, pingInterval: TimeAmount?) {
    (self.frames, self.pingInterval) = (frames, pingInterval)
  }

  /// Adds the handlers to a connection.
  ///
  /// - Parameter pingInterval: The interval of PINGs; `nil` for none.
  static func watch(
    _ channel: any Channel, pingInterval: TimeAmount? = nil
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
      let frames = RawFrames()
      try pipeline.addHandler(frames, position: .before(http2))
      try pipeline.addHandler(
        ConnectionGuard(frames, pingInterval: pingInterval), position: .after(http2))
    }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if let pingInterval { ping(context, every: pingInterval) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    nextPing?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // NIO decodes the bytes that it reads after an error, too, but without the frame of the error.
    guard failure == nil else { return }
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .settings(.settings(let settings)) where delays(frame, settings): break
    case .goAway(let last, _, _):
      lastStream = min(last, lastStream ?? last)
      context.fireChannelRead(data)
      returnStream(context)
    default: context.fireChannelRead(data)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let stream = returned, (event as? StreamClosedEvent)?.streamID == stream { returned = nil }
    context.fireUserInboundEventTriggered(event)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if frames.resets >= Self.maximumResets { retire(context) }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard frames.hasSentGoAway, failure == nil else { return }
    failure = error
    // The close waits for the server's end of TLS.
    retire(context)
    context.close(promise: nil)
  }

  /// Lets AsyncHTTPClient send no more requests on the connection, and close it after the requests in flight.
  func retire(_ context: ChannelHandlerContext) {
    guard !isRetired, lastStream == nil, context.channel.isActive else { return }
    isRetired = true
    let payload = HTTP2Frame.FramePayload.goAway(
      lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
    context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)))
    returnStream(context)
  }
}
