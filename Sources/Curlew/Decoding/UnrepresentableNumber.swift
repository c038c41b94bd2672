import Foundation

/// A number in a JSON text that is too large, too long or not whole for its type.
///
/// Foundation reports such a text as invalid, without a position. A binary search finds the number:
/// numbers are replaced by zeros until the text decodes or fails for another reason.
struct UnrepresentableNumber {
  /// The number's text.
  let text: String
  /// The number's coding path.
  let path: [any CodingKey]

  /// The maximum size of a text, in bytes: each try decodes all of it, and there may be 18.
  private static let longest = 256 * 1024

  /// Finds the number; `nil` when the text fails for another reason.
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - decode: Decodes a text as the one that failed.
  init?(in data: Data, decoding decode: (Data) throws -> Void) {
    guard data.count <= Self.longest else { return nil }
    let bytes = [UInt8](data)
    let numbers = Self.numbers(in: bytes)
    func fails(_ count: Int) -> Bool {
      var text = bytes
      for range in numbers[..<count] {
        // The length stays the same: white space may follow a number.
        for index in range { text[index] = UInt8(ascii: " ") }
        text[range.lowerBound] = UInt8(ascii: "0")
      }
      do {
        try decode(Data(text))
        return false
      } catch DecodingError.dataCorrupted(let context) {
        return context.codingPath.isEmpty
      } catch {
        return false
      }
    }
    guard !numbers.isEmpty, !fails(numbers.count) else { return nil }
    var (failing, passing) = (0, numbers.count)
    while passing - failing > 1 {
      let middle = (failing + passing) / 2
      if fails(middle) { failing = middle } else { passing = middle }
    }
    let range = numbers[failing]
    text = String(decoding: bytes[range], as: UTF8.self)
    // A malformed number makes the text invalid (RFC 8259 section 6).
    let number = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([Ee][+-]?[0-9]+)?/
    guard text.wholeMatch(of: number) != nil else { return nil }
    path = Self.path(to: range.lowerBound, in: bytes)
  }

  private static func numbers(in bytes: [UInt8]) -> [Range<Int>] {
    var numbers: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = endOfString(from: index, in: bytes)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = index
        while index < bytes.count, "+-.0123456789Ee".utf8.contains(bytes[index]) { index += 1 }
        numbers.append(start..<index)
      default: index += 1
      }
    }
    return numbers
  }

  /// Returns the index after a string's closing quotation mark.
  private static func endOfString(from start: Int, in bytes: [UInt8]) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func path(to end: Int, in bytes: [UInt8]) -> [any CodingKey] {
    var path: [JSONKey] = []
    var string = 0..<0
    var index = 0
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        string = index..<endOfString(from: index, in: bytes)
        index = string.upperBound
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): path.append(JSONKey(stringValue: ""))
      case UInt8(ascii: "["): path.append(JSONKey(intValue: 0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = path.popLast()
      case UInt8(ascii: ":"):
        let key = try? JSONDecoder().decode(String.self, from: Data(bytes[string]))
        _ = path.popLast()
        path.append(JSONKey(stringValue: key ?? ""))
      case UInt8(ascii: ","):
        if let last = path.last?.intValue { path[path.count - 1] = JSONKey(intValue: last + 1) }
      default: break
      }
      index += 1
    }
    return path
  }
}

/// A key or an index as a part of a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
