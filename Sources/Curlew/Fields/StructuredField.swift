/// A parser of structured fields (RFC 9651), which keeps the numbers in them.
struct StructuredField {
  /// An item, if it is a number, and its parameters, or the parameters of an inner list; any value but a number is `nil`.
  typealias Member = (number: Double?, parameters: [String: Double?])

  private struct Invalid: Error {}

  private var reader: FieldReader

  /// Returns the members of a list (section 4.2.1); `nil` if the value is no list.
  static func list(_ value: String) -> [Member]? {
    try? parse(value) { field throws(Invalid) in try field.member() }
  }

  /// Returns the members of a dictionary (section 4.2.2); `nil` if the value is no dictionary.
  static func dictionary(_ value: String) -> [String: Member]? {
    let members = try? parse(value) { field throws(Invalid) in
      let key = try field.key()
      return (
        key,
        field.reader.take("=") ? try field.member() : (nil, try field.parameters())
      )
    }
    return members.map { Dictionary($0) { $1 } }
  }

  /// Parses the members between commas.
  private static func parse<Element>(
    _ value: String, _ member: (inout Self) throws(Invalid) -> Element
  ) throws(Invalid) -> [Element] {
    var field = Self(reader: FieldReader(value))
    field.skip(" ")
    var members: [Element] = []
    while !field.reader.isAtEnd {
      members.append(try member(&field))
      field.reader.skipSpaces()
      if field.reader.isAtEnd { break }
      try field.expect(",")
      field.reader.skipSpaces()
      if field.reader.isAtEnd { throw Invalid() }
    }
    return members
  }

  private mutating func member() throws(Invalid) -> Member {
    guard reader.take("(") else {
      return (try bareItem(), try parameters())
    }
    skip(" ")
    while !reader.take(")") {
      _ = try (bareItem(), parameters())
      guard skip(" ") || reader.next == UInt8(ascii: ")") else { throw Invalid() }
    }
    return (nil, try parameters())
  }

  private mutating func parameters() throws(Invalid) -> [String: Double?] {
    var parameters: [String: Double?] = [:]
    while reader.take(";") {
      skip(" ")
      let key = try key()
      parameters.updateValue(reader.take("=") ? try bareItem() : nil, forKey: key)
    }
    return parameters
  }

  private mutating func key() throws(Invalid) -> String {
    guard let first = reader.next, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*")
    else { throw Invalid() }
    return reader.text {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "_-.*".utf8.contains($0)
    }
  }

  /// Parses an item without parameters (section 4.2.3.1); returns `nil` if it is no number.
  private mutating func bareItem() throws(Invalid) -> Double? {
    switch reader.next ?? 0 {
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: ":"):
      reader.skip()
      _ = reader.text { Self.isAlphanumeric($0) || "+/=".utf8.contains($0) }
      try expect(":")
    case UInt8(ascii: "?"):
      reader.skip()
      guard reader.take("0") || reader.take("1") else { throw Invalid() }
    case UInt8(ascii: "@"):
      reader.skip()
      guard try number().truncatingRemainder(dividingBy: 1) == 0 else { throw Invalid() }
    case UInt8(ascii: "%"):
      reader.skip()
      try displayString()
    case UInt8(ascii: "*"), 0x41...0x5A, 0x61...0x7A:
      // A token, whose further characters include ":" and "/".
      repeat { _ = reader.token() } while reader.take(":") || reader.take("/")
    default: throw Invalid()
    }
    return nil
  }

  /// Parses a number of at most fifteen digits, or twelve before and three after the point (section 4.2.4).
  private mutating func number() throws(Invalid) -> Double {
    let sign = reader.take("-") ? -1.0 : 1
    let digits = reader.text { (0x30...0x39).contains($0) }
    guard let whole = Double(digits), digits.utf8.count <= 15 else { throw Invalid() }
    guard reader.take(".") else { return sign * whole }
    let fraction = reader.text { (0x30...0x39).contains($0) }
    guard digits.utf8.count <= 12, 1...3 ~= fraction.utf8.count,
      let number = Double("\(digits).\(fraction)")
    else { throw Invalid() }
    return sign * number
  }

  private mutating func string() throws(Invalid) {
    try expect("\"")
    while !reader.take("\"") {
      let isEscape = reader.take("\\")
      guard let byte = reader.next, (0x20...0x7E).contains(byte),
        !isEscape || "\"\\".utf8.contains(byte)
      else { throw Invalid() }
      reader.skip()
    }
  }

  /// Parses a string of percent-encoded UTF-8 (section 4.2.10).
  private mutating func displayString() throws(Invalid) {
    try expect("\"")
    var bytes: [UInt8] = []
    while !reader.take("\"") {
      guard var byte = reader.next, (0x20...0x7E).contains(byte) else { throw Invalid() }
      reader.skip()
      if byte == UInt8(ascii: "%") {
        let digits = Substring(reader.rest.prefix(2))
        guard digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
          digits.utf8.count == 2, let encoded = UInt8(digits, radix: 16)
        else { throw Invalid() }
        byte = encoded
        reader.skip()
        reader.skip()
      }
      bytes.append(byte)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Invalid() }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Invalid) {
    guard reader.take(character) else { throw Invalid() }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  @discardableResult
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard reader.take(character) else { return false }
    while reader.take(character) {}
    return true
  }
}
