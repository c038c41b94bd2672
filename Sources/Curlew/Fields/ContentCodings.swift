import Foundation
import HTTPTypes

/// The names in a `Content-Encoding` or `Accept-Encoding` field, in lower case (RFC 9110 sections 8.4 and 12.5.3).
package struct ContentCodings: Sendable, Hashable {
  /// The registered codings except for `identity`; `gzip` for `x-gzip`.
  package private(set) var names: [String] = []
  /// The other names: a charset, `none` or `aws-chunked` can't have changed the bytes.
  package private(set) var unknown: [String] = []

  /// Parses a field without the names that have a quality of 0; any text is accepted.
  package init(_ field: String) {
    for item in field.lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = parts.dropFirst().contains {
        $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0
      }
      guard let name = parts.first, !name.isEmpty, name != "identity", !isRefused else { continue }
      if let coding = Self.registered[name] { names.append(coding) } else { unknown.append(name) }
    }
  }

  /// The IANA registry of HTTP content codings, and `*`.
  private static let registered: [String: String] = {
    let names = [
      "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "zstd",
      "*",
    ]
    let aliases = ["x-gzip": "gzip", "x-compress": "compress"]
    return Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }).merging(aliases) { $1 }
  }()
}

extension HTTPFields {
  /// The names in `Content-Encoding` that are no content coding; `nil` if there are none.
  var unknownCoding: String? {
    guard let field = self[.contentEncoding] else { return nil }
    let unknown = ContentCodings(field).unknown
    return unknown.isEmpty ? nil : unknown.joined(separator: ", ")
  }
}
