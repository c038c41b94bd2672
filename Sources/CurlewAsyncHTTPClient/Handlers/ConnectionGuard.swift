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

  private var isRetired = false
  private let frames: RawFrames

  private init(_ frames: RawFrames) {
    self.frames = frames
  }

  /// Adds the handlers to a connection.
  static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
      let frames = RawFrames()
      try pipeline.addHandler(frames, position: .before(http2))
      try pipeline.addHandler(ConnectionGuard(frames), position: .after(http2))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway(let last, _, _) = unwrapInboundIn(data).payload {
      lastStream = min(last, lastStream ?? last)
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if !isRetired, frames.resets >= Self.maximumResets, lastStream == nil {
      isRetired = true
      // AsyncHTTPClient sends no more requests on it, and closes it after those that are under way.
      let payload = HTTP2Frame.FramePayload.goAway(
        lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
      context.fireChannelRead(
        wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)))
    }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard frames.hasSentGoAway, failure == nil else { return }
    failure = error
    context.close(promise: nil)
  }
}

/// Counts the resets that the server sends, also of streams that have ended, and sees that the client sends
/// GOAWAY, which it does after an error of the whole connection, and not after one of a stream.
private final class RawFrames: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private(set) var hasSentGoAway = false
  private(set) var resets = 0
  /// The bytes of the frame's header that has begun: its length, type, flags and stream (RFC 9113 section 4.1).
  private var header = ByteBuffer()
  /// The bytes that are left of the frame's payload.
  private var rest = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    while bytes.readableBytes > 0 {
      if rest > 0 {
        let count = min(rest, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: count)
        rest -= count
      } else {
        guard var part = bytes.readSlice(length: min(9 - header.readableBytes, bytes.readableBytes))
        else { break }
        header.writeBuffer(&part)
        guard header.readableBytes == 9, let start = header.readInteger(as: UInt32.self) else {
          break
        }
        rest = Int(start >> 8)
        if start & 0xff == 3 { resets += 1 }
        header.clear()
      }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // NIO writes each frame by itself.
    if !hasSentGoAway, case .byteBuffer(let frame) = unwrapOutboundIn(data),
      frame.readableBytes >= 17,
      frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self) == 7,
      frame.getInteger(at: frame.readerIndex + 5, as: UInt32.self) == 0
    {
      hasSentGoAway = true
    }
    context.write(data, promise: promise)
  }
}
