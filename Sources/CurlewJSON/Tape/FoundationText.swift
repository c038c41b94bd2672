package import Foundation

extension JSONDecoder {
  /// Decodes a value, unless the text would end the process in Foundation's decoder.
  ///
  /// - Throws: Besides the decoder's errors, `DecodingError.dataCorrupted` for more than 512 nested objects and arrays,
  ///   for a number of more than 100 characters with an exponent, and for malformed JSON5.
  package func decodeSafely<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    if self is FastJSONDecoder { return try decode(type, from: data) }
    return try decode(type, from: FoundationText.checked(data, for: self))
  }
}

/// A check of texts for Foundation's decoder, which some malformed texts end the process in (swift-foundation up to
/// 6.3): `JSONScanner.scanArray` reports the location of a 513th bracket that is the last byte, `validateNumber` traps
/// for an exponent without digits and for long numbers, and `_decodeScalar` for invalid UTF-8 outside of strings.
struct FoundationText {
  private let bytes: UnsafeRawBufferPointer
  private let isJSON5: Bool
  private var index = 0
  private var depth = 0

  /// The maximum length of a number with an exponent; Foundation traps for some with more than 130 characters.
  private static let maximumNumberLength = 100

  /// Returns a text in UTF-8 that Foundation's decoder can decode.
  ///
  /// - Throws: `DecodingError.dataCorrupted`.
  static func checked(_ data: Data, for decoder: JSONDecoder) throws -> Data {
    try data.withUnsafeBytes { bytes in
      try TextEncoding.withUTF8(bytes) { text in
        var check = FoundationText(bytes: text, isJSON5: decoder.allowsJSON5)
        // The object around a text without braces counts.
        let start = text.first { $0 > 0x20 }
        if decoder.assumesTopLevelDictionary, start != UInt8(ascii: "{") { check.depth = 1 }
        guard check.passes() else { throw DecodingError.invalidJSON }
        // A number at the end would be read past the end of the text.
        var data = Data(capacity: text.count + 1)
        data.append(contentsOf: text)
        data.append(UInt8(ascii: "\n"))
        return data
      }
    }
  }

  private init(bytes: UnsafeRawBufferPointer, isJSON5: Bool) {
    (self.bytes, self.isJSON5) = (bytes, isJSON5)
  }

  private mutating func passes() -> Bool {
    if isJSON5, let start = bytes.baseAddress, !UTF8Check.isValid(start, bytes.count) {
      return false
    }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > Tape.maximumDepth { return false }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""): skipString(to: byte)
      case UInt8(ascii: "'") where isJSON5: skipString(to: byte)
      case UInt8(ascii: "/") where isJSON5: skipComment()
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        if !skipNumber() { return false }
      default: break
      }
      index += 1
    }
    return true
  }

  /// Moves to the end of a string, or of the text.
  private mutating func skipString(to quote: UInt8) {
    index += 1
    while index < bytes.count, bytes[index] != quote {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  /// Moves to the end of a comment; a slash that begins none is an error of the decoder.
  private mutating func skipComment() {
    guard index + 1 < bytes.count else { return }
    if bytes[index + 1] == UInt8(ascii: "/") {
      while index < bytes.count, !"\n\r".utf8.contains(bytes[index]) { index += 1 }
    } else if bytes[index + 1] == UInt8(ascii: "*") {
      index += 3
      while index < bytes.count,
        bytes[index] != UInt8(ascii: "/") || bytes[index - 1] != UInt8(ascii: "*")
      {
        index += 1
      }
    }
  }

  /// Moves to the last byte of a number; returns whether the decoder can read it.
  private mutating func skipNumber() -> Bool {
    let start = index
    var hasExponent = false
    while index + 1 < bytes.count, Self.isNumeric(bytes[index + 1]) {
      index += 1
      if bytes[index] | 0x20 == UInt8(ascii: "e") { hasExponent = true }
    }
    let endsInSign = isJSON5 && "+-".utf8.contains(bytes[index])
    return !endsInSign && (!hasExponent || index - start < Self.maximumNumberLength)
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
