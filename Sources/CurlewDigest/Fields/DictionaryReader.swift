import Curlew
import Foundation

/// Parses a dictionary of structured fields (RFC 9651 section 4.2.2): one fault, and there is none.
struct DictionaryReader {
  /// The value of a member; its parameters are left out.
  enum Value: Hashable {
    /// A byte sequence.
    case bytes(Data)
    /// An item of another type, or an inner list.
    case other
  }

  private struct Malformed: Error {}

  private var reader: FieldReader

  /// Returns a dictionary's members, or `nil` if the text is none.
  ///
  /// Of members with the same key the last one counts.
  static func members(of text: String) -> [String: Value]? {
    var reader = Self(reader: FieldReader(text))
    return try? reader.members()
  }

  private mutating func members() throws(Malformed) -> [String: Value] {
    var members: [String: Value] = [:]
    skip(" ")
    while !reader.isAtEnd {
      let key = try key()
      members[key] = try reader.take("=") ? value() : .other
      try parameters()
      reader.skipSpaces()
      if reader.isAtEnd { break }
      guard reader.take(",") else { throw Malformed() }
      reader.skipSpaces()
      // A comma is between two members.
      if reader.isAtEnd { throw Malformed() }
    }
    return members
  }

  private mutating func value() throws(Malformed) -> Value {
    guard reader.take("(") else { return try item() }
    while true {
      skip(" ")
      if reader.take(")") { return .other }
      _ = try item()
      try parameters()
      guard reader.next == UInt8(ascii: " ") || reader.next == UInt8(ascii: ")") else {
        throw Malformed()
      }
    }
  }

  private mutating func parameters() throws(Malformed) {
    while reader.take(";") {
      skip(" ")
      _ = try key()
      if reader.take("=") { _ = try item() }
    }
  }

  private mutating func key() throws(Malformed) -> String {
    guard let first = reader.next, Self.isLowercase(first) || first == UInt8(ascii: "*") else {
      throw Malformed()
    }
    return reader.text { Self.isLowercase($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) }
  }

  /// Parses a bare item (RFC 9651 section 4.2.3.1).
  private mutating func item() throws(Malformed) -> Value {
    guard let first = reader.next else { throw Malformed() }
    switch first {
    case UInt8(ascii: ":"): return .bytes(try bytes())
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "%"): try displayString()
    case UInt8(ascii: "?"):
      reader.skip()
      guard reader.take("0") || reader.take("1") else { throw Malformed() }
    case UInt8(ascii: "@"):
      reader.skip()
      try number(isWhole: true)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(isWhole: false)
    case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      repeat { _ = reader.token() } while reader.take(":") || reader.take("/")
    default: throw Malformed()
    }
    return .other
  }

  private mutating func bytes() throws(Malformed) -> Data {
    reader.skip()
    let text = reader.text { $0 != UInt8(ascii: ":") }
    guard reader.take(":") else { throw Malformed() }
    let digits = text.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    // Padding may be missing, but not be wrong (RFC 9651 section 4.2.7).
    guard text.utf8.count == digits.utf8.count || text == digits + padding,
      let data = Data(base64Encoded: digits + padding)
    else { throw Malformed() }
    return data
  }

  private mutating func string() throws(Malformed) {
    reader.skip()
    while let byte = reader.next, byte != UInt8(ascii: "\"") {
      guard 0x20...0x7E ~= byte else { throw Malformed() }
      reader.skip()
      if byte == UInt8(ascii: "\\"), !reader.take("\""), !reader.take("\\") { throw Malformed() }
    }
    guard reader.take("\"") else { throw Malformed() }
  }

  private mutating func displayString() throws(Malformed) {
    reader.skip()
    guard reader.take("\"") else { throw Malformed() }
    var bytes: [UInt8] = []
    while let byte = reader.next, byte != UInt8(ascii: "\"") {
      guard 0x20...0x7E ~= byte else { throw Malformed() }
      reader.skip()
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      var value: UInt8 = 0
      for _ in 0..<2 {
        guard let digit = reader.next, let hex = Self.hex(digit) else { throw Malformed() }
        value = value << 4 | hex
        reader.skip()
      }
      bytes.append(value)
    }
    guard reader.take("\""), String(validating: bytes, as: UTF8.self) != nil else {
      throw Malformed()
    }
  }

  /// Parses an integer of at most 15 digits, or a decimal of at most 12 and 3 (RFC 9651 section
  /// 4.2.4).
  private mutating func number(isWhole: Bool) throws(Malformed) {
    _ = reader.take("-")
    let digits = reader.text(while: Self.isDigit).utf8.count
    guard 1...15 ~= digits else { throw Malformed() }
    guard !isWhole, reader.take(".") else { return }
    guard digits <= 12, 1...3 ~= reader.text(while: Self.isDigit).utf8.count else {
      throw Malformed()
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) {
    while reader.take(character) {}
  }

  private static func isLowercase(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Returns the value of a lowercase hexadecimal digit.
  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
