import Curlew
import Foundation

/// Parts of a text that is known to be JSON.
extension JSONShape {
  /// Returns the index after a string's closing quotation mark.
  static func endOfString(from start: Int, in text: [UInt8]) -> Int {
    var index = start + 1
    while text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index + 1
  }

  /// Returns a key's text, from the key in its quotation marks.
  static func key(_ quoted: ArraySlice<UInt8>) -> String {
    let key = quoted.dropFirst().dropLast()
    guard key.contains(UInt8(ascii: "\\")) else { return String(decoding: key, as: UTF8.self) }
    let unescaped = try? JSONDecoder().decode(String.self, from: Data(quoted))
    return unescaped ?? String(decoding: key, as: UTF8.self)
  }

  static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether a number can be decoded as an `Int`, wherever it comes from.
  static func isInteger(_ number: ArraySlice<UInt8>) -> Bool {
    // As a rule it is short: 18 digits always fit.
    let isShort = number.count <= 18
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return false
    }
    return isShort || number.count <= 20 && Int64(String(decoding: number, as: UTF8.self)) != nil
  }
}
