import HTTPTypes

/// A content coding that can be undone (RFC 9110 section 8.4.1).
///
/// Brotli and Zstandard are not among them: there is no Swift package for either to build on.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// The zlib format by the standard; bare DEFLATE by many servers.
  case deflate

  /// What a request says that it takes, when it does not say so itself.
  static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

  fileprivate init?(name: String) {
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }
}

/// What is to be done about the codings of a body.
struct ContentCodings {
  /// Layers of coding that are undone; more is an attack, and `curl` takes as many.
  static let limit = 5

  /// Those to undo, in this order: the one that was applied last comes first.
  private(set) var undone: [ContentCoding] = []
  /// What can't be undone, in the order in which it was applied.
  private(set) var left: [String] = []

  /// - Parameter field: A `Content-Encoding`, with all of its lines.
  init(_ field: String) {
    left = field.split(separator: ",").map { $0.trimmed.lowercased() }
    left.removeAll { $0.isEmpty || $0 == "identity" }
    while let last = left.last, let coding = ContentCoding(name: last) {
      undone.append(coding)
      left.removeLast()
    }
  }

  /// Why the body can't be handed over; `nil` when it can.
  ///
  /// A coding that the request itself asked for is for whoever made the request to undo.
  ///
  /// - Parameter accepted: The request's own `Accept-Encoding`; `nil` for none.
  func fault(accepted: String?) -> String? {
    guard undone.count <= Self.limit else {
      return "the body has \(undone.count) content codings, at most \(Self.limit) are undone"
    }
    let accepted = accepted.map(Self.names(acceptedBy:)) ?? []
    guard let unknown = left.last(where: { !accepted.contains($0) && !accepted.contains("*") })
    else { return nil }
    // It is the server's text, and may be long.
    return "the body's content coding is \(unknown.prefix(40)), which was not asked for; "
      + "supported are \(ContentCoding.accepted)"
  }

  /// The codings that an `Accept-Encoding` asks for (RFC 9110 section 12.5.3).
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
