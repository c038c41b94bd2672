import Curlew
import Foundation

/// A supported content coding (RFC 9110 section 8.4.1).
///
/// Brotli and Zstandard need the traits `Brotli` and `Zstandard`, and the system's libraries.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// The zlib format according to the standard; raw DEFLATE from many servers.
  case deflate
  #if canImport(CCurlewBrotli)
    case brotli = "br"
  #endif
  #if canImport(CCurlewZstandard)
    case zstandard = "zstd"
  #endif

  /// The `Accept-Encoding` of a request without its own.
  package static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

  /// Creates the coding to decode a body from; `nil` for a body that stays unchanged: it has no registered
  /// coding, or other codings that the request accepts.
  ///
  /// - Parameters:
  ///   - field: The values of all `Content-Encoding` fields, joined by commas.
  ///   - accepted: The request's own `Accept-Encoding`, if any.
  /// - Throws: An error for several codings, and for an unsupported coding.
  init?(of field: String, accepted: String?) throws(Client.TransportFailure) {
    let codings = ContentCodings(field)
    if codings.names.isEmpty { return nil }
    let coding = codings.names.count == 1 ? Self(rawValue: codings.names[0]) : nil
    if coding == nil || !codings.unknown.isEmpty,
      let accepted = accepted.map({ ContentCodings($0) })
    {
      let all = accepted.names + accepted.unknown
      if all.contains("*") || (codings.names + codings.unknown).allSatisfy(all.contains) {
        return nil
      }
    }
    if let coding {
      self = coding
      return
    }
    // The server's text may be long.
    let found = codings.names.joined(separator: ", ").prefix(40)
    throw Client.TransportFailure(
      .contentCoding,
      reason: "the body's content coding is \(found), which was not requested; "
        + "supported are \(Self.accepted)")
  }
}
