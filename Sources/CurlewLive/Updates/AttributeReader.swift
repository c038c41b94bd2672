/// A parser for the attributes of a start tag (WHATWG HTML section 13.1.2.3).
struct AttributeReader {
  private let markup: UnsafeRawBufferPointer
  private var position: Int
  /// The element's key: its `id`, or else its `data-key`; `nil` if it is missing, empty or can't be
  /// decoded.
  var key: String? { (id ?? dataKey).flatMap { $0.isEmpty ? nil : decoded($0) } }
  private var id: Range<Int>?
  private var dataKey: Range<Int>?
  /// Whether a script manages the element's content, which updates then don't change.
  private(set) var isIgnored = false

  /// - Parameter position: The position after the tag's name.
  init(_ markup: UnsafeRawBufferPointer, at position: Int) {
    self.markup = markup
    self.position = position
  }

  /// Skips the rest of the tag and returns the position after it; `nil` if the tag has no end.
  mutating func skip() -> Int? {
    while let (name, value) = next() {
      // If two attributes have the same name, the first counts.
      if id == nil, isName(name, "id") {
        id = value.isEmpty ? nil : value
      } else if dataKey == nil, isName(name, "data-key") {
        dataKey = value
      } else if isName(name, "data-live-ignore") {
        isIgnored = true
      }
    }
    return position < markup.count ? position + 1 : nil
  }

  /// Returns the attributes of a complete start tag, keyed by name; `nil` if an attribute can't be
  /// decoded.
  static func attributes(of tag: String) -> [String: String]? {
    var tag = tag
    return tag.withUTF8 { tag in
      let markup = UnsafeRawBufferPointer(tag)
      let name = markup.dropFirst().firstIndex(where: \.endsName) ?? markup.count
      var reader = Self(markup, at: name)
      var attributes: [String: String] = [:]
      while let (name, value) = reader.next() {
        guard let text = reader.decoded(value) else { return nil }
        let name = String(decoding: markup[name].map(\.lowercased), as: UTF8.self)
        if attributes[name] == nil { attributes[name] = text }
      }
      return attributes
    }
  }

  private func isName(_ range: Range<Int>, _ name: StaticString) -> Bool {
    range.count == name.utf8CodeUnitCount
      && zip(range, 0..<range.count).allSatisfy {
        markup[$0].lowercased == (name.utf8Start + $1).pointee
      }
  }

  /// Returns the next attribute; `nil` at the end of the tag, where `position` then is.
  private mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
    while position < markup.count, markup[position].isSpace || markup[position] == UInt8(ascii: "/")
    {
      position += 1
    }
    guard position < markup.count, markup[position] != UInt8(ascii: ">") else { return nil }
    let start = position
    // A name may begin with an equals sign.
    repeat { position += 1 } while position < markup.count && !markup[position].endsName
    let name = start..<position
    skipSpace()
    guard position < markup.count, markup[position] == UInt8(ascii: "=") else {
      return (name, position..<position)
    }
    position += 1
    skipSpace()
    return (name, readValue())
  }

  private mutating func skipSpace() {
    while position < markup.count, markup[position].isSpace { position += 1 }
  }

  private mutating func readValue() -> Range<Int> {
    guard position < markup.count else { return position..<position }
    let quote = markup[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position + 1
      guard let end = markup[start...].firstIndex(of: quote) else {
        position = markup.count
        return start..<start
      }
      position = end + 1
      return start..<end
    }
    let start = position
    while position < markup.count, !markup[position].isSpace, markup[position] != UInt8(ascii: ">")
    {
      position += 1
    }
    return start..<position
  }

  /// Returns a value's decoded text; `nil` if it contains an unsupported character reference.
  private func decoded(_ value: Range<Int>) -> String? {
    guard markup[value].contains(UInt8(ascii: "&")) else {
      return String(decoding: markup[value], as: UTF8.self).parsed
    }
    var bytes: [UInt8] = []
    var position = value.lowerBound
    while position < value.upperBound {
      guard markup[position] == UInt8(ascii: "&") else {
        bytes.append(markup[position])
        position += 1
        continue
      }
      let name = markup[position + 1..<min(position + 12, value.upperBound)]
        .prefix { $0 != UInt8(ascii: ";") }
      guard name.endIndex < value.upperBound, markup[name.endIndex] == UInt8(ascii: ";"),
        let character = Self.character(String(decoding: name, as: UTF8.self))
      else { return nil }
      bytes += Array(String(character).utf8)
      position = name.endIndex + 1
    }
    return String(decoding: bytes, as: UTF8.self).parsed
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let digits = name.dropFirst()
      let isHex = digits.first == "x" || digits.first == "X"
      guard digits.dropFirst(isHex ? 1 : 0).allSatisfy(\.isHexDigit) else { return nil }
      // Browsers replace the other code points by special rules.
      return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10)
        .flatMap { $0 >= 0x20 && !(0x7F...0x9F).contains($0) ? Unicode.Scalar($0) : nil }
    }
  }
}

extension String {
  /// The text as browsers parse it: U+FFFD for NUL, and a line feed for each line break (WHATWG HTML section 13.2.3.5).
  var parsed: String {
    guard utf8.contains(where: { $0 == 0x0D || $0 == 0 }) else { return self }
    return String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 == "\0" ? "\u{FFFD}" : $0 })
  }
}
