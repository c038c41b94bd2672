import NIOCore
import NIOHTTP2

extension ConnectionGuard {
  /// Reports the beginning and the end of a stream that does not exist for the server to AsyncHTTPClient's
  /// `HTTP2IdleHandler`.
  ///
  /// It has two effects:
  /// - AsyncHTTPClient's pool gets back the stream that it had leased to a request that was cancelled before its
  ///   stream existed. `HTTP2ConnectionState.lease` counts the stream when the request is assigned, and `release`
  ///   only after NIO's event for the end, which never comes: each such request would cost a stream for ever.
  /// - After GOAWAY, a connection without streams is closed. `HTTP2IdleHandler.run` ignores the `close` of its own
  ///   `notifyConnectionGoAwayReceived`, and the pool's idle timer skips draining connections, so that only the end
  ///   of a stream closes the connection.
  ///
  /// - Parameter stream: The number of a stream whose head NIO has held back or rejected; `nil` if there is none.
  func returnStream(_ context: ChannelHandlerContext, _ stream: HTTP2StreamID? = nil) {
    // Later, because the pool may assign the stream to another request, which must not happen within the setup of
    // this request's stream.
    context.eventLoop.assumeIsolated().execute {
      guard let context = self.context else { return }
      guard stream.map({ Int($0) > self.frames.lastOpened }) ?? true else {
        return self.drop(stream, context)
      }
      context.fireUserInboundEventTriggered(
        NIOHTTP2StreamCreatedEvent(
          streamID: .rootStream, localInitialWindowSize: nil, remoteInitialWindowSize: nil))
      self.returned = stream
      self.drop(stream, context)
      // NIO reports the end of a rejected stream, but not its beginning.
      if stream == nil || self.returned != nil {
        context.fireUserInboundEventTriggered(
          StreamClosedEvent(streamID: .rootStream, reason: nil))
      }
      self.returned = nil
    }
  }

  /// Lets NIO drop a stream without a channel.
  ///
  /// NIO holds heads back while a connection accepts no bytes. When the stream's channel is closed
  /// (`HTTP2StreamChannel.close0`), it does not drop the head, which would begin a stream that nobody ends. It also
  /// keeps streams whose head it rejects. ``RawFrames`` keeps the reset of a stream that was never opened from the
  /// server.
  private func drop(_ stream: HTTP2StreamID?, _ context: ChannelHandlerContext) {
    guard let stream else { return }
    let reset = HTTP2Frame(streamID: stream, payload: .rstStream(.cancel))
    context.writeAndFlush(NIOAny(reset), promise: nil)
  }
}
