/// Parses a text as JSON (RFC 8259), token by token, up to its first fault, without building values.
///
/// It keeps the open brackets in an array and is not recursive, so no text can overflow the stack.
package struct JSONScanner {
  /// A value, a bracket or a key; numbers and keys include their bytes.
  package enum Token {
    case object, array, end, string, boolean, null
    case number(ArraySlice<UInt8>)
    /// A key, with its quotation marks.
    case key(ArraySlice<UInt8>)
  }

  /// The reason for a fault, and the index of the invalid byte.
  package struct Fault: Error {
    let offset: Int
    let reason: String
  }

  private enum Expected {
    case value, firstElement, key, firstKey, separator, end
  }

  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let bytes: [UInt8]
  private var index = 0
  private var expected = Expected.value
  /// The brackets that are open.
  private var open: [UInt8] = []
  /// The first fault that does not make the text invalid JSON for this scanner: a comma before a closing
  /// bracket, which Foundation accepts, or nesting beyond Foundation's limit.
  private var minor: Fault?

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { index = 3 }
  }

  /// Returns the first fault; `nil` when the text is JSON.
  package static func firstFault(in bytes: [UInt8]) -> Fault? {
    var scanner = Self(bytes)
    do {
      while try scanner.nextToken() != nil {}
      return scanner.minor
    } catch {
      return error
    }
  }

  /// Returns the next token; `nil` at the end of the text.
  package mutating func nextToken() throws(Fault) -> Token? {
    skipSpace()
    if expected == .separator { try separator() }
    switch expected {
    case .end:
      guard index == bytes.count else { throw unexpected("nothing more") }
      return nil
    case .separator: return closeBracket()
    case .firstElement where next == UInt8(ascii: "]"), .firstKey where next == UInt8(ascii: "}"):
      return closeBracket()
    case .value, .firstElement: return try value()
    case .key, .firstKey: return try key()
    }
  }

  private mutating func key() throws(Fault) -> Token {
    guard next == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
    let start = index
    try string()
    let key = bytes[start..<index]
    skipSpace()
    guard take(":") else { throw unexpected("a colon after the key") }
    expected = .value
    return .key(key)
  }

  /// Parses a scalar value, or the opening bracket of an object or an array.
  private mutating func value() throws(Fault) -> Token {
    let start = index
    switch next ?? 0 {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = next == UInt8(ascii: "{")
      open.append(bytes[index])
      if open.count > JSONFault.deepestNesting, minor == nil {
        minor = fault("there are more than \(JSONFault.deepestNesting) levels of nesting.")
      }
      index += 1
      expected = isObject ? .firstKey : .firstElement
      return isObject ? .object : .array
    case UInt8(ascii: "\""):
      try string()
      return ended(.string)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try number()
      return ended(.number(bytes[start..<index]))
    case UInt8(ascii: "t"): return ended(try word("true", .boolean))
    case UInt8(ascii: "f"): return ended(try word("false", .boolean))
    case UInt8(ascii: "n"): return ended(try word("null", .null))
    default:
      throw index == bytes.count && open.isEmpty
        ? fault("the text has only white space.") : unexpected("a value")
    }
  }

  /// Returns the last token of a value, and sets the token that is expected next.
  private mutating func ended(_ token: Token) -> Token {
    expected = open.isEmpty ? .end : .separator
    return token
  }

  /// Parses the comma after a value within brackets, unless a closing bracket follows.
  private mutating func separator() throws(Fault) {
    let isObject = open.last == UInt8(ascii: "{")
    let comma = index
    let hasComma = take(",")
    skipSpace()
    if next == UInt8(ascii: isObject ? "}" : "]") {
      if hasComma {
        minor = minor ?? Fault(offset: comma, reason: "a comma is followed by a closing bracket.")
      }
      return
    }
    guard hasComma else { throw unexpected(isObject ? "a comma or }" : "a comma or ]") }
    expected = isObject ? .key : .value
  }

  private mutating func closeBracket() -> Token {
    index += 1
    open.removeLast()
    return ended(.end)
  }

  private mutating func word(_ word: StaticString, _ token: Token) throws(Fault) -> Token {
    for letter in word.description.utf8 {
      guard index < bytes.count else { throw cut("a word") }
      guard bytes[index] == letter else { throw unexpected("\(word)") }
      index += 1
    }
    return token
  }

  /// Parses a number (RFC 8259 section 6).
  private mutating func number() throws(Fault) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try digits()
    }
  }

  private mutating func digits() throws(Fault) {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index == start else { return }
    throw index < bytes.count ? unexpected("a digit") : cut("a number")
  }

  /// Parses a string (RFC 8259 section 7).
  private mutating func string() throws(Fault) {
    index += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case ..<0x20: throw fault("a control character in a string is not escaped.")
      case ..<0x80: index += 1
      default: try character()
      }
    }
    throw cut("a string")
  }

  private mutating func escape() throws(Fault) {
    let start = index
    index += 1
    let letter = try nextOfEscape()
    index += 1
    if "\"\\/bfnrt".utf8.contains(letter) { return }
    guard letter == UInt8(ascii: "u") else {
      throw Fault(offset: start, reason: "the escape sequence is not valid in JSON.")
    }
    let unit = try fourDigits()
    guard (0xD800...0xDFFF).contains(unit) else { return }
    // A high surrogate must be followed by an escaped low surrogate.
    if unit < 0xDC00, try nextOfEscape() == UInt8(ascii: "\\") {
      index += 1
      if try nextOfEscape() == UInt8(ascii: "u") {
        index += 1
        if (0xDC00...0xDFFF).contains(try fourDigits()) { return }
      }
    }
    throw Fault(offset: start, reason: "the escape sequence is an unpaired surrogate.")
  }

  private func nextOfEscape() throws(Fault) -> UInt8 {
    guard let next else { throw cut("an escape") }
    return next
  }

  private mutating func fourDigits() throws(Fault) -> Int {
    var value = 0
    for _ in 0..<4 {
      let byte = try nextOfEscape()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw unexpected("four hexadecimal digits")
      }
      value = value * 16 + digit
      index += 1
    }
    return value
  }

  /// Parses a character of several UTF-8 bytes.
  private mutating func character() throws(Fault) {
    var rest = bytes[index...].prefix(4).makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    switch parser.parseScalar(from: &rest) {
    case .valid(let character): index += character.count
    case .emptyInput: index += 1
    case .error(let length):
      // The text ends within a character whose bytes are valid so far.
      let isCut = index + length == bytes.count && (0xC2...0xF4).contains(bytes[index])
      throw isCut ? cut("a string") : fault("the bytes are not UTF-8.")
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, " \t\r\n".utf8.contains(byte) { index += 1 }
  }

  private func fault(_ reason: String) -> Fault { Fault(offset: index, reason: reason) }

  private func cut(_ part: String) -> Fault { fault("the text ends in the middle of \(part).") }

  /// The character at the index for a message; an invisible character by its code point.
  private var found: String {
    let rest = bytes[index...].prefix(32)
    guard let character = String(decoding: rest, as: UTF8.self).first,
      let scalar = character.unicodeScalars.first
    else { return "nothing" }
    if scalar == "\u{FFFD}", !rest.starts(with: "\u{FFFD}".utf8) {
      return "bytes that are not UTF-8"
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(character)'"
    }
  }

  /// Returns a fault with the expected and the actual text.
  private func unexpected(_ expected: String) -> Fault {
    guard index < bytes.count else {
      let whole = open.last == UInt8(ascii: "{") ? "an object" : "an array"
      return fault("the text ends in the middle of \(open.isEmpty ? "a value" : whole).")
    }
    return fault("expected \(expected), found \(found).")
  }
}
