/// The entity tags of a client's stored responses (RFC 9110 section 13.1.2).
struct IfNoneMatch: Sendable {
  private let isAny: Bool
  private var strong: Set<Substring> = []
  private var weak: Set<Substring> = []

  /// Creates the entity tags from the value of the header field `If-None-Match`.
  init(_ value: String?) {
    let value = value ?? ""
    isAny = value.contains("*") && !value.contains("\"")
    // A tag contains no quotation mark, but may contain commas.
    let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
    for index in stride(from: 1, to: parts.count - 1, by: 2) {
      if parts[index - 1].hasSuffix("W/") {
        weak.insert(parts[index])
      } else {
        strong.insert(parts[index])
      }
    }
  }

  /// Returns whether the client has the response with an entity tag, by weak comparison (RFC 9110
  /// section 8.8.3.2), which conditional `GET` requests require.
  func matches(_ tag: String) -> Bool {
    let opaque = Self.opaque(tag)
    return isAny || strong.contains(opaque) || weak.contains(opaque)
  }

  /// Returns whether the client has a strong entity tag only in its weak form.
  func weakens(_ tag: String) -> Bool {
    let opaque = Self.opaque(tag)
    return !tag.hasPrefix("W/") && weak.contains(opaque) && !strong.contains(opaque)
  }

  private static func opaque(_ tag: String) -> Substring {
    tag.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
  }
}
