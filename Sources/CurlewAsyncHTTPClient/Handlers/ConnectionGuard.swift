import NIOCore
import NIOHTTP2

/// Records the last request that the server will process (GOAWAY, RFC 9113 section 6.8), closes a connection
/// after a connection error, and retires a connection with many resets.
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

  private var isRetired = false
  private let frames: RawFrames
  /// The context; `nil` when the connection is closed.
  private(set) var context: ChannelHandlerContext?
  var idle = IdleSettings()

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

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // NIO decodes the bytes that it reads after an error, too, but without the frame of the error.
    guard failure == nil else { return }
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .goAway(let last, _, _): lastStream = min(last, lastStream ?? last)
    case .settings(.settings(let settings)) where delays(frame, settings): return
    default: break
    }
    context.fireChannelRead(data)
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
    guard !isRetired, lastStream == nil else { return }
    isRetired = true
    let payload = HTTP2Frame.FramePayload.goAway(
      lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
    context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)))
  }
}

/// Counts the resets that the server sends, including resets of ended streams, and detects that the client
/// sends GOAWAY, which follows a connection error, but not a stream error.
private final class RawFrames: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private(set) var hasSentGoAway = false
  private(set) var resets = 0
  /// The bytes so far of the current frame's header: its length, type, flags and stream (RFC 9113 section 4.1).
  private var header = ByteBuffer()
  /// The number of remaining bytes of the frame's payload.
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
    // NIO writes each frame separately.
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
