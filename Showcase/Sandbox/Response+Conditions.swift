import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// Returns what is sent for a method and its conditions: a success that the client has already is
  /// a 304 (RFC 9110, 13.2.2), and neither that nor the response to `HEAD` has a body.
  func conditional(on request: SiteRequest) -> Response {
    guard status == .ok, isKnown(to: request.headers) else {
      return request.method == .head ? createHeadResponse() : self
    }
    // A 304 describes the response that it replaces, whose length is not 0.
    return Response(status: .notModified, headers: headers)
      .with(["Content-Type": nil, "Content-Length": nil])
  }

  /// Whether a client's conditions show that it has this response; `If-Modified-Since` counts only
  /// where there is no `If-None-Match` (RFC 9110, 13.1.3).
  private func isKnown(to conditions: HTTPFields) -> Bool {
    if let tags = conditions[.ifNoneMatch] {
      return headers[.eTag].map { $0.isMatched(by: tags) } ?? false
    }
    // Compared as a text, as servers do that know only one time: nobody else makes one up.
    let since = conditions[.ifModifiedSince]
    return since != nil && since == headers[.lastModified]
  }

  /// Returns the response with the time of the last change, as `Last-Modified`.
  func changed(at date: Date) -> Response { with(["Last-Modified": date.formatted(.http)]) }

  /// Returns the response with its entity tag as a strong one: it has the same bytes each time.
  func strong() -> Response {
    with(["ETag": headers[.eTag].map { String($0.trimmingPrefix("W/")) }])
  }
}

extension String {
  /// Whether a list of entity tags, or `*`, has this one; compared weakly (RFC 9110, 13.1.2).
  fileprivate func isMatched(by tags: String) -> Bool {
    func opaque(_ tag: some StringProtocol) -> String {
      String(tag.trimmingCharacters(in: .whitespaces).trimmingPrefix("W/"))
    }
    if tags.trimmingCharacters(in: .whitespaces) == "*" { return true }
    return tags.split(separator: ",").contains { opaque($0) == opaque(self) }
  }
}

extension ByteBuffer {
  /// A hash of the content that is the same in each run, unlike `hashValue`: what a client stored is
  /// known after a restart.
  var stableHash: UInt64 {
    withUnsafeReadableBytes { bytes in
      var hash = UInt64(bytes.count)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      // Eight bytes at a time, because builds for debugging are slow at each.
      let end = bytes.count & ~7
      for offset in stride(from: 0, to: end, by: 8) {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      for byte in bytes[end...] { mix(UInt64(byte)) }
      return hash
    }
  }
}

extension FormatStyle where Self == Date.VerbatimFormatStyle {
  /// The time as in header fields (RFC 9110, 5.6.7): `Tue, 10 Oct 2017 16:00:00 GMT`.
  static var http: Self {
    Date.VerbatimFormatStyle(
      format: """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """,
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
      calendar: Calendar(identifier: .gregorian))
  }
}
