import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// Returns the response for a method and its conditions: 304 if the client has the current
  /// version (RFC 9110, 13.2.2); a 304 response and a response to `HEAD` have no body.
  func conditional(on request: SiteRequest) -> Response {
    guard status == .ok, isKnown(to: request.headers[.ifNoneMatch] ?? "") else {
      return request.method == .head ? createHeadResponse() : self
    }
    // A 304 response describes the response that it replaces, whose length is not 0.
    return Response(status: .notModified, headers: headers)
      .with(["Content-Type": nil, "Content-Length": nil])
  }

  /// Returns whether a list of entity tags, or `*`, matches this response; uses weak comparison
  /// (RFC 9110, 13.1.2).
  private func isKnown(to tags: String) -> Bool {
    guard let tag = headers[.eTag] else { return false }
    return tags == "*" || tags.contains(tag.trimmingPrefix("W/"))
  }
}

extension ByteBuffer {
  /// A hash of the content; unlike `hashValue`, it is the same in every run, so that stored entity
  /// tags stay valid after a restart.
  var stableHash: UInt64 {
    withUnsafeReadableBytes { bytes in
      var hash = UInt64(bytes.count)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      // Processes eight bytes at a time, because debug builds are slow for each iteration.
      let end = bytes.count & ~7
      for offset in stride(from: 0, to: end, by: 8) {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      for byte in bytes[end...] { mix(UInt64(byte)) }
      return hash
    }
  }
}
