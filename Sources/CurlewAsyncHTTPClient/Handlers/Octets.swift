import Foundation
import NIOCore
import NIOHTTP1

/// Heads with bytes that are not UTF-8 (RFC 9110 section 5.5), which the strings of NIO can't hold: all of their bytes are
/// passed as ISO 8859-1, and a marked field says so.
enum Octets {
  /// The name of the last field of a response's head, which is no field name, so that no server can send it.
  static let responseMark = " iso-8859-1"
  /// The name of the first field of a request's head, which ``EarlyResponseHandler`` removes: AsyncHTTPClient validates names.
  static let requestMark = "curlew-iso-8859-1"

  /// Encodes a response's head as UTF-8, if it is not; returns whether it was not.
  static func recode(_ head: inout ByteBuffer) -> Bool {
    let text = head.withUnsafeReadableBytes { bytes -> String? in
      // Eight bytes at a time: nearly all heads are ASCII.
      var index = 0
      var all: UInt64 = 0
      while index + 8 <= bytes.count {
        all |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index += 8
      }
      let isASCII = all & 0x8080_8080_8080_8080 == 0 && bytes[index...].allSatisfy { $0 < 0x80 }
      guard !isASCII, String(validating: bytes, as: UTF8.self) == nil else { return nil }
      return Self.text(bytes)
    }
    guard let text else { return false }
    head = ByteBuffer(string: text)
    return true
  }

  /// Returns bytes as ISO 8859-1 text.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes: bytes, encoding: .isoLatin1) ?? ""
  }

  /// Returns the bytes of ISO 8859-1 text; `nil` for other text.
  static func bytes(_ text: String) -> Data? { text.data(using: .isoLatin1) }

  /// Removes the mark of a request's head for HTTP/2, which has only text: fields with other bytes are not sent.
  static func removeMark(from headers: inout HTTPHeaders) {
    headers = HTTPHeaders(
      headers.dropFirst().compactMap { name, value in
        let text = bytes(value).flatMap { String(validating: $0, as: UTF8.self) }
        return text.map { (name, $0) }
      })
  }
}

/// Encodes the head of one request as ISO 8859-1, before the bytes are sent over HTTP/1.1.
final class OctetsEncoder: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var data = data
    if case .byteBuffer(let head) = unwrapOutboundIn(data),
      let bytes = Octets.bytes(String(buffer: head))
    {
      data = wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: bytes)))
    }
    context.write(data, promise: promise)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
