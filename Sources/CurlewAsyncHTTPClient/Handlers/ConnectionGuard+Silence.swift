import NIOCore
import NIOHTTP2
import NIOSSL

/// Streams without a response, and silent connections.
///
/// AsyncHTTPClient has no PING (RFC 9113 section 6.7), and a time limit resets only its stream. So requests would be
/// sent on a dead connection until the system detects it, which can take a quarter of an hour.
extension ConnectionGuard {
  /// The time of the server's silence after which a connection is retired when a request on it is stopped: much longer
  /// than most responses take, in real time, because no client's clock reaches a connection.
  private static let maximumSilence = TimeAmount.seconds(5)
  /// The time that the server has to respond to a PING, much longer than a round trip.
  private static let maximumRoundTrip = TimeAmount.seconds(2)

  /// Records the end of a stream without a response.
  ///
  /// - Parameters:
  ///   - stream: The stream's number; `nil` if it has none yet.
  ///   - reads: The value of ``RawFrames/reads`` when the stream was created.
  func streamEnded(_ stream: HTTP2StreamID?, since reads: Int) {
    guard let context, context.channel.isActive else { return }
    if let stream, Int(stream) <= frames.lastOpened {
      // Without a byte since its beginning, only the client can have ended the stream.
      if frames.reads == reads { probe(context) }
    } else {
      returnStream(context, stream)
    }
  }

  /// Retires the connection if the server has been silent for long; otherwise sends a PING, and retires the
  /// connection if the server stays silent.
  private func probe(_ context: ChannelHandlerContext) {
    guard !isProbing else { return }
    isProbing = true
    let isLate = frames.unansweredSince.map { .now() - $0 >= Self.maximumSilence } ?? false
    if !isLate { sendPing(context) }
    let reads = frames.reads
    // The probe counts as running for its whole time, because NIO allows 200 responses to PINGs in half a minute.
    context.eventLoop.assumeIsolated().scheduleTask(in: isLate ? .zero : Self.maximumRoundTrip) {
      self.isProbing = false
      guard self.frames.reads == reads, let context = self.context else { return }
      self.retire(context)
      // Streams hold their frames back until the end of a read.
      context.fireChannelReadComplete()
    }
  }

  /// Sends PINGs, and closes the connection if no byte arrives between two of them.
  func ping(_ context: ChannelHandlerContext, every interval: TimeAmount, since reads: Int? = nil) {
    nextPing = context.eventLoop.assumeIsolated().scheduleTask(in: interval) {
      guard let context = self.context else { return }
      guard self.frames.reads != reads else { return self.drop(context) }
      self.sendPing(context)
      self.ping(context, every: interval, since: self.frames.reads)
    }
  }

  private func sendPing(_ context: ChannelHandlerContext) {
    let ping = HTTP2Frame.FramePayload.ping(HTTP2PingData(), ack: false)
    context.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: ping)), promise: nil)
  }

  /// Closes the connection below TLS, whose shutdown would wait for the server.
  private func drop(_ context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    let tls = try? pipeline.context(handlerType: NIOSSLClientHandler.self)
    (tls ?? context).close(promise: nil)
  }
}
