/// Reads the value of a `Link` header field as RFC 8288's appendix B does, and goes on after what is
/// malformed where that ends.
struct WebLinkReader {
  private var rest: Substring.UTF8View

  init(_ value: String) {
    rest = value[...].utf8
  }

  /// Reads all links.
  mutating func links() -> [WebLink] {
    var links: [WebLink] = []
    while !rest.isEmpty {
      if let link = link() { links.append(link) }
      skipToNextLink()
    }
    return links
  }

  private mutating func link() -> WebLink? {
    skipSpaces()
    guard rest.first == Self.opening else { return nil }
    rest = rest.dropFirst()
    let target = rest.prefix { $0 != Self.closing && $0 != Self.opening }
    let end = target.endIndex
    rest = rest[end...]
    // An unfinished target ends where the next one begins.
    guard rest.first == Self.closing else { return nil }
    rest = rest.dropFirst()
    var parameters: [String: String] = [:]
    while let (name, value) = parameter() {
      if parameters[name] == nil { parameters[name] = value }
    }
    let relations = (parameters["rel"] ?? "").split(whereSeparator: \.isWhitespace)
    guard !relations.isEmpty else { return nil }
    return WebLink(
      String(Substring(target)), relations: relations.map { String($0) }, parameters: parameters)
  }

  /// `; name=value`, `; name="value"` or `; name`.
  private mutating func parameter() -> (name: String, value: String)? {
    skipSpaces()
    guard rest.first == Self.semicolon else { return nil }
    rest = rest.dropFirst()
    skipSpaces()
    let name = rest.prefix {
      !Self.isSpace($0) && $0 != Self.equals && $0 != Self.semicolon && $0 != Self.comma
    }
    rest = rest[name.endIndex...]
    skipSpaces()
    var value = ""
    if rest.first == Self.equals {
      rest = rest.dropFirst()
      skipSpaces()
      value = rest.first == Self.quote ? quotedText() : plainText()
    }
    return (String(Substring(name)).lowercased(), value)
  }

  private mutating func plainText() -> String {
    let text = rest.prefix { $0 != Self.semicolon && $0 != Self.comma }
    rest = rest[text.endIndex...]
    let trailing = text.reversed().prefix(while: Self.isSpace).count
    return String(Substring(text.dropLast(trailing)))
  }

  /// A text in quotes, in which a backslash stands before what is meant literally.
  private mutating func quotedText() -> String {
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != Self.quote {
      if byte == Self.backslash {
        if let escaped = rest.popFirst() { bytes.append(escaped) }
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func skipSpaces() {
    rest = rest.drop(while: Self.isSpace)
  }

  /// Goes past the next comma that stands in no quotes, or to the next target.
  private mutating func skipToNextLink() {
    while let byte = rest.first, byte != Self.opening {
      if byte == Self.quote {
        _ = quotedText()
      } else {
        rest = rest.dropFirst()
        if byte == Self.comma { return }
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static let opening = UInt8(ascii: "<")
  private static let closing = UInt8(ascii: ">")
  private static let semicolon = UInt8(ascii: ";")
  private static let comma = UInt8(ascii: ",")
  private static let equals = UInt8(ascii: "=")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
