import NIOCore
import NIOHTTP2

/// Reads the headers of a connection's frames below NIO's HTTP/2 handler, in both directions (RFC 9113 section 4.1).
///
/// It records the facts that NIO does not report: resets by the server, including resets of ended streams; whether
/// the client has sent GOAWAY, which follows a connection error, but not a stream error; the last stream that was
/// opened; and since when the server has been silent.
///
/// It also lets NIO ignore what a server still sends on streams that the client has reset: NIO remembers only 31 of
/// them (`defaultMaximumRecentlyResetFrames` in HTTP2ChannelHandler.swift; AsyncHTTPClient has no setting), and a
/// frame on an earlier one is a connection error (`streamMissing` in ConnectionStreamsState.swift). So such a frame
/// gets the number of the stream that was reset last.
///
/// And it makes streams depend on no other stream, because priorities are ignored (RFC 9113 section 5.3.2): NIO drops a
/// head whose priority depends on its own stream, and delivers its body (`NIOHTTP2Handler.processFrame`).
final class RawFrames: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private static let headerSize = 9
  /// The number of resets after which earlier ones are forgotten: their frames have long since arrived.
  private static let maximumClosed = 2_000

  private(set) var hasSentGoAway = false
  /// The number of resets that the server has sent.
  private(set) var resets = 0
  /// The number of reads, each of at least one byte.
  private(set) var reads = 0
  /// The time of the first request after the last read; `nil` without a request since then.
  private(set) var unansweredSince: NIODeadline?
  /// The last stream that the client has opened.
  private(set) var lastOpened: UInt32 = 0

  /// The beginning of a frame's header whose rest has not arrived.
  private var beginning: ByteBuffer?
  /// The number of remaining bytes of the current frame's payload.
  private var rest = 0
  /// The streams that the client has reset, in two generations, so that their number is limited.
  private var (closed, closedBefore): (Set<UInt32>, Set<UInt32>) = ([], [])
  private var (lastClosed, highestClosed): (UInt32, UInt32) = (0, 0)
  /// The number that the last HEADERS got; CONTINUATION must have the same number.
  private var headersNumber: UInt32?
  /// Whether the next write is the payload of a frame, not a frame.
  private var isPayloadNext = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reads += 1
    unansweredSince = nil
    var bytes = unwrapInboundIn(data)
    if var all = beginning.take() {
      all.writeBuffer(&bytes)
      bytes = all
    }
    var index = bytes.readerIndex + rest
    while let size = readHeader(&bytes, at: index) { index += size }
    rest = max(0, index - bytes.writerIndex)
    if index < bytes.writerIndex {
      beginning = bytes.getSlice(at: index, length: bytes.writerIndex - index)
      bytes.moveWriterIndex(to: index)
    }
    if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
  }

  /// Returns the size of the frame at an index; `nil` if its header, or its priority, has not arrived.
  private func readHeader(_ bytes: inout ByteBuffer, at index: Int) -> Int? {
    guard index + Self.headerSize <= bytes.writerIndex,
      let start = bytes.getInteger(at: index, as: UInt32.self),
      let flags = bytes.getInteger(at: index + 4, as: UInt8.self),
      // Without the reserved bit.
      let stream = bytes.getInteger(at: index + 5, as: UInt32.self).map({ $0 & 0x7fff_ffff })
    else { return nil }
    let (size, type) = (Int(start >> 8), FrameType(start))
    if let priority = Self.priority(of: type, flags), priority + 4 <= size {
      let priority = index + Self.headerSize + priority
      guard priority + 4 <= bytes.writerIndex else { return nil }
      bytes.setInteger(0 as UInt32, at: priority)
    }
    switch type {
    case .reset: resets += 1
    case .data:
      if isClosed(stream) { bytes.setInteger(lastClosed, at: index + 5) }
    case .headers:
      headersNumber = isClosed(stream) ? lastClosed : nil
      if let headersNumber { bytes.setInteger(headersNumber, at: index + 5) }
    case .continuation:
      if let headersNumber { bytes.setInteger(headersNumber, at: index + 5) }
    default: break
    }
    return Self.headerSize + size
  }

  /// Returns the index of the priority in the payload of a frame (RFC 7540 sections 6.2 and 6.3); `nil` if it has none.
  private static func priority(of type: FrameType?, _ flags: UInt8) -> Int? {
    switch type {
    case .headers where flags & 0x20 != 0: flags & 0x8 != 0 ? 1 : 0
    case .priority: 0
    default: nil
    }
  }

  /// Returns whether the client has reset a stream.
  private func isClosed(_ stream: UInt32) -> Bool {
    stream <= highestClosed && (closed.contains(stream) || closedBefore.contains(stream))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // NIO writes each frame separately, and the payload of DATA separately from its header.
    if isPayloadNext {
      isPayloadNext = false
    } else if case .byteBuffer(let frame) = unwrapOutboundIn(data),
      let start = frame.getInteger(at: frame.readerIndex, as: UInt32.self),
      let stream = frame.getInteger(at: frame.readerIndex + 5, as: UInt32.self)
    {
      let type = FrameType(start)
      // For the server, it would be a connection error (RFC 9113 section 6.4).
      if type == .reset, stream > lastOpened {
        promise?.succeed()
        return
      }
      record(type, stream)
    }
    context.write(data, promise: promise)
  }

  private func record(_ type: FrameType?, _ stream: UInt32) {
    switch type {
    case .data: isPayloadNext = true
    case .headers:
      // Trailers belong to an earlier stream.
      lastOpened = max(lastOpened, stream)
      if unansweredSince == nil { unansweredSince = .now() }
    case .reset:
      if closed.count == Self.maximumClosed { (closed, closedBefore) = ([], closed) }
      closed.insert(stream)
      (lastClosed, highestClosed) = (stream, max(highestClosed, stream))
    case .goAway: hasSentGoAway = true
    default: break
    }
  }
}

/// The types of frames that matter here.
private enum FrameType: UInt32 {
  case data = 0
  case headers = 1
  case priority = 2
  case reset = 3
  case goAway = 7
  case continuation = 9

  /// - Parameter start: The first four bytes of a frame: its length and its type.
  init?(_ start: UInt32) { self.init(rawValue: start & 0xff) }
}
