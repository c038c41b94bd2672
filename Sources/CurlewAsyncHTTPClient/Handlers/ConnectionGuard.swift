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
    context.fireChannelRead(data)
    guard case .goAway(let last, _, _) = unwrapInboundIn(data).payload else { return }
    lastStream = min(last, lastStream ?? last)
    returnStream(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if frames.resets >= Self.maximumResets { retire(context) }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard frames.hasSentGoAway, failure == nil else { return }
    failure = error
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

  /// Reports the beginning and the end of a stream that does not exist to AsyncHTTPClient's `HTTP2IdleHandler`.
  ///
  /// It has two effects:
  /// - AsyncHTTPClient's pool gets back the stream that it had leased to a request that was cancelled before its
  ///   stream existed. `HTTP2ConnectionState.lease` counts the stream when the request is assigned, and `release`
  ///   only after NIO's event for the end, which never comes: each such request would cost a stream for ever.
  /// - After GOAWAY, a connection without streams is closed. `HTTP2IdleHandler.run` ignores the `close` of its own
  ///   `notifyConnectionGoAwayReceived`, and the pool's idle timer skips draining connections, so that only the end
  ///   of a stream closes the connection.
  func returnStream(_ context: ChannelHandlerContext) {
    // Later, because the pool may assign the stream to another request, which must not happen within the setup of
    // this request's stream.
    context.eventLoop.assumeIsolated().execute {
      guard let context = self.context else { return }
      context.fireUserInboundEventTriggered(
        NIOHTTP2StreamCreatedEvent(
          streamID: .rootStream, localInitialWindowSize: nil, remoteInitialWindowSize: nil))
      context.fireUserInboundEventTriggered(StreamClosedEvent(streamID: .rootStream, reason: nil))
    }
  }
}
