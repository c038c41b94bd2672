import Foundation
import NIOCore

/// Rewrites, before NIO's parser, what it refuses or loses in responses that browsers and curl read; closes an idle
/// connection on which bytes arrive, and records that a response has begun.
///
/// - Folded field lines (RFC 9112 section 5.2) and white space in the lines of chunk sizes (section 7.1.1) are errors for
///   `llhttp`.
/// - `HTTPDecoder` replaces bytes that are not UTF-8 (RFC 9110 section 5.5): such a head is passed as ISO 8859-1, with
///   ``Octets/responseMark``.
///
/// The parser says where a head ends (``ResponseBoundary/hasHead``): it reads each head at once. The unexpected beginning
/// of a response causes no error: it would be read as the beginning of the next request's response.
final class ResponseBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The maximum size of a head that is rewritten; the parser limits longer ones.
  private static let maximumHead = 128 * 1024

  private let boundary: ResponseBoundary
  /// The beginning of a head whose end has not arrived, and the number of bytes that were searched for the end.
  private var beginning: (bytes: ByteBuffer, searched: Int)?
  private var chunks: ChunkLines?

  init(_ boundary: ResponseBoundary) {
    self.boundary = boundary
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !boundary.isIdle else {
      (beginning, chunks) = (nil, nil)
      context.close(promise: nil)
      return
    }
    boundary.hasBytes = true
    // The body of a response without chunks needs no look.
    if boundary.hasHead, chunks == nil { return context.fireChannelRead(data) }
    var bytes = unwrapInboundIn(data)
    if !boundary.hasHead { readHeads(&bytes, context) }
    guard bytes.readableBytes > 0 else { return }
    guard chunks != nil else { return context.fireChannelRead(wrapInboundOut(bytes)) }
    let isRewritten = chunks?.read(bytes) { context.fireChannelRead(wrapInboundOut($0)) } ?? false
    if isRewritten { boundary.isFollowed = true }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let rest = beginning.take() { context.fireChannelRead(wrapInboundOut(rest.bytes)) }
    context.fireChannelInactive()
  }

  /// Passes the heads at the beginning of the bytes, of interim responses and of the final one, and keeps an incomplete
  /// head.
  private func readHeads(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
    var searched = 0
    if let kept = beginning.take() {
      var all = kept.bytes
      all.writeBuffer(&bytes)
      (bytes, searched) = (all, kept.searched)
    }
    while !boundary.hasHead, bytes.readableBytes > 0 {
      guard let end = Self.headEnd(in: bytes, from: searched) else {
        if bytes.readableBytes < Self.maximumHead {
          beginning = (bytes, max(0, bytes.readableBytes - 3))
          bytes.clear()
        }
        return
      }
      searched = 0
      guard var head = bytes.readSlice(length: end) else { return }
      if Self.unfold(&head) { boundary.isFollowed = true }
      boundary.isOpaque = Octets.recode(&head)
      boundary.isChunked = false
      context.fireChannelRead(wrapInboundOut(head))
      chunks = boundary.hasHead && boundary.isChunked ? ChunkLines() : nil
    }
  }

  /// Returns the size of a head with its empty line; `nil` if the line has not arrived.
  private static func headEnd(in bytes: ByteBuffer, from start: Int) -> Int? {
    bytes.withUnsafeReadableBytes { bytes in
      var index = start
      // A line break at the very beginning is an empty line, too, which the parser skips.
      if start == 0, bytes.first == 0x0A { return 1 }
      if start == 0, bytes.starts(with: [0x0D, 0x0A]) { return 2 }
      while let line = lineEnd(in: bytes, from: index), line + 1 < bytes.count {
        if bytes[line + 1] == 0x0A { return line + 2 }
        if bytes[line + 1] == 0x0D, line + 2 < bytes.count, bytes[line + 2] == 0x0A {
          return line + 3
        }
        index = line + 1
      }
      return nil
    }
  }

  /// Replaces the line breaks before folded lines by spaces; returns whether there were any.
  ///
  /// Not after the status line, and not in the fields that say where the body ends, which curl reads only up to the fold.
  private static func unfold(_ head: inout ByteBuffer) -> Bool {
    let breaks = head.withUnsafeReadableBytes { bytes -> [Int] in
      var (breaks, field, line) = ([Int](), 0, 0)
      while let end = lineEnd(in: bytes, from: line), end + 1 < bytes.count {
        line = end + 1
        guard bytes[line] == 0x20 || bytes[line] == 0x09 else {
          field = line
          continue
        }
        let name = String(
          decoding: bytes[field...].prefix { $0 != 0x3A && $0 > 0x20 }, as: UTF8.self)
        guard field > 0, !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
          return []
        }
        breaks.append(end)
      }
      return breaks
    }
    for index in breaks.map({ head.readerIndex + $0 }) {
      head.setInteger(0x20 as UInt8, at: index)
      if head.getInteger(at: index - 1) == 0x0D as UInt8 {
        head.setInteger(0x20 as UInt8, at: index - 1)
      }
    }
    return !breaks.isEmpty
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let end = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(end) - base
  }
}
