/// An entity tag: the identifier of a version of a resource (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
  /// Whether the tag is weak: versions with equal weak tags may differ in their bytes.
  let isWeak: Bool
  /// The text between the quotes.
  let text: String

  /// Parses a tag; returns `nil` if the text is not a tag.
  ///
  /// A token without quotes, as some servers send it, is parsed as a strong tag.
  init?(_ value: some StringProtocol) {
    var reader = FieldReader(Substring(value))
    reader.skipSpaces()
    guard let tag = Self.tag(&reader) else { return nil }
    reader.skipSpaces()
    guard reader.isAtEnd else { return nil }
    self = tag
  }

  private init(isWeak: Bool, text: String) {
    (self.isWeak, self.text) = (isWeak, text)
  }

  /// Returns the tags of an `If-None-Match` field; `nil` for `*`, which matches any tag.
  static func list(_ lines: [String]) -> [EntityTag]? {
    var tags: [EntityTag] = []
    for line in lines {
      var reader = FieldReader(line)
      while !reader.isAtEnd {
        reader.skipSpaces()
        if reader.take("*") { return nil }
        if let tag = tag(&reader) {
          tags.append(tag)
        } else {
          reader.skip()
        }
        reader.skipSpaces()
        while reader.take(",") { reader.skipSpaces() }
      }
    }
    return tags
  }

  private static func tag(_ reader: inout FieldReader) -> EntityTag? {
    var rest = reader
    let isWeak = rest.take("W") && rest.take("/")
    if isWeak { reader = rest }
    guard reader.take("\"") else {
      let token = isWeak ? "" : reader.token()
      return token.isEmpty ? nil : EntityTag(isWeak: false, text: token)
    }
    // Entity tags have no escapes: a backslash is an ordinary character.
    let text = reader.text { $0 != UInt8(ascii: "\"") }
    return reader.take("\"") ? EntityTag(isWeak: isWeak, text: text) : nil
  }

  /// Returns whether both tags identify the same bytes: the strong comparison (RFC 9110 section 8.8.3.2).
  func matchesStrongly(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && text == other.text
  }

  /// Returns whether both tags identify equivalent versions: the weak comparison.
  func matchesWeakly(_ other: EntityTag) -> Bool { text == other.text }
}
