import HTTPTypes

/// A supported content coding (RFC 9110 section 8.4.1).
///
/// Brotli and Zstandard are not supported, because there is no Swift package for them.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// The zlib format according to the standard; raw DEFLATE from many servers.
  case deflate

  /// The `Accept-Encoding` of a request without its own.
  static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

  fileprivate init?(name: String) {
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }
}

/// The codings of a body: those that are decoded, and those that remain.
struct ContentCodings {
  /// The maximum number of codings that are decoded, as in `curl`; more would be an attack.
  static let limit = 5

  /// The codings to decode; the one that was applied last comes first.
  private(set) var decodable: [ContentCoding] = []
  /// The codings that can't be decoded, in the order in which they were applied.
  private(set) var remaining: [String] = []

  /// Creates the codings of a body.
  ///
  /// - Parameter field: The values of all `Content-Encoding` fields, joined by commas.
  init(_ field: String) {
    remaining = field.split(separator: ",").map { $0.trimmed.lowercased() }
    remaining.removeAll { $0.isEmpty || $0 == "identity" }
    while let last = remaining.last, let coding = ContentCoding(name: last) {
      decodable.append(coding)
      remaining.removeLast()
    }
  }

  /// Returns why the body can't be read, or `nil` if it can.
  ///
  /// A remaining coding that the request itself asked for is remaining to the caller to decode.
  ///
  /// - Parameter accepted: The request's own `Accept-Encoding`, if any.
  func fault(accepted: String?) -> String? {
    guard decodable.count <= Self.limit else {
      return "the body has \(decodable.count) content codings, at most \(Self.limit) are decoded"
    }
    let accepted = accepted.map(Self.names(acceptedBy:)) ?? []
    guard let unknown = remaining.last(where: { !accepted.contains($0) && !accepted.contains("*") })
    else { return nil }
    // The server's text may be long.
    return "the body's content coding is \(unknown.prefix(40)), which was not asked for; "
      + "supported are \(ContentCoding.accepted)"
  }

  /// Returns the codings that an `Accept-Encoding` asks for (RFC 9110 section 12.5.3).
  private static func names(acceptedBy field: String) -> [String] {
    field.split(separator: ",").compactMap { item in
      let parts = item.split(separator: ";").map { $0.trimmed.lowercased() }
      let isRefused = parts.dropFirst().contains { part in
        part.hasPrefix("q=") && Double(part.dropFirst(2)) == 0
      }
      return isRefused ? nil : parts.first
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = drop(while: isSpace)
    return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
  }
}
