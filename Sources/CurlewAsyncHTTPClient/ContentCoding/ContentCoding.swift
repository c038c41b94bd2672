import Curlew
import Foundation

/// A supported content coding (RFC 9110 section 8.4.1).
///
/// Brotli and Zstandard are not supported, because there is no Swift package for them.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// The zlib format according to the standard; raw DEFLATE from many servers.
  case deflate

  /// The `Accept-Encoding` of a request without its own.
  static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

  /// Creates the coding to decode a body from; `nil` for a body that stays unchanged: it has no
  /// coding, or other codings that the request accepts.
  ///
  /// - Parameters:
  ///   - field: The values of all `Content-Encoding` fields, joined by commas.
  ///   - accepted: The request's own `Accept-Encoding`, if any.
  /// - Throws: An error for several codings, and for an unsupported coding.
  init?(of field: String, accepted: String?) throws(Client.TransportFailure) {
    let names = Self.names(in: field).filter { $0 != "identity" }
    if names.isEmpty { return nil }
    if names.count == 1, let coding = Self(rawValue: names[0] == "x-gzip" ? "gzip" : names[0]) {
      self = coding
      return
    }
    let accepted = Self.names(in: accepted ?? "")
    if accepted.contains("*") || names.allSatisfy(accepted.contains) { return nil }
    // The server's text may be long.
    let found = names.joined(separator: ", ").prefix(40)
    throw Client.TransportFailure(
      .contentCoding,
      reason: "the body's content coding is \(found), which was not requested; "
        + "supported are \(Self.accepted)")
  }

  /// Returns the codings in a field, except for the codings that an `Accept-Encoding` refuses (RFC
  /// 9110 section 12.5.3).
  private static func names(in field: String) -> [String] {
    field.lowercased().split(separator: ",").compactMap { item in
      let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = parts.dropFirst().contains { part in
        part.hasPrefix("q=") && Double(part.dropFirst(2)) == 0
      }
      guard let name = parts.first, !name.isEmpty, !isRefused else { return nil }
      return name
    }
  }
}
