package import Foundation

/// A value, a bracket or a key of a JSON text.
package enum JSONToken {
  case object, array, end, string, boolean, null
  /// A number that fits `Int64`, without a fraction and an exponent.
  case integer
  case number
  case key(String)

  /// Returns the tokens of a text in order; `nil` if it is not JSON.
  package static func tokens(in data: Data) -> [JSONToken]? {
    try? data.withUnsafeBytes { bytes in
      try TextEncoding.withUTF8(bytes) { text in
        var tape = Tape()
        defer { tape.deallocate() }
        guard let start = text.baseAddress, text.count < Word.sizeLimit else { return nil }
        (tape.bytes, tape.byteCount) = (start, text.count)
        return tape.scan() == nil ? tape.tokens() : nil
      }
    }
  }
}

extension Tape {
  /// Returns the tokens; `nil` if a string or a number is malformed.
  fileprivate func tokens() -> [JSONToken]? {
    var tokens: [JSONToken] = []
    /// The open objects and arrays.
    var open: [(end: Int, isObject: Bool)] = []
    var index = 0
    while true {
      while let last = open.last, last.end == index {
        tokens.append(.end)
        open.removeLast()
      }
      guard index < null else { return tokens }
      if open.last?.isObject == true {
        guard let key = string(KeyWord(bits: words[index])) else { return nil }
        tokens.append(.key(key))
        index += 1
      }
      let word = self[index]
      switch word.kind {
      case Word.Kind.null: tokens.append(.null)
      case Word.Kind.no, Word.Kind.yes: tokens.append(.boolean)
      case Word.Kind.integer: tokens.append(.integer)
      case Word.Kind.number:
        guard number(word) != nil else { return nil }
        // On any platform, the largest integers have 20 characters.
        tokens.append(word.length <= 20 && Int64(text(word)) != nil ? .integer : .number)
        index += 1
      case Word.Kind.ascii, Word.Kind.utf8, Word.Kind.escaped:
        guard string(at: index) != nil else { return nil }
        tokens.append(.string)
      default:
        tokens.append(word.isObject ? .object : .array)
        open.append((word.offset, word.isObject))
      }
      index += 1
    }
  }
}
