import Foundation

extension Encodable {
  /// The value as JSON for scripts: keys in alphabetical order, dates as in RFC 3339.
  var json: String {
    get throws {
      // The encoder would write an empty line between the brackets.
      if let list = self as? [any Encodable], list.isEmpty { return "[]\n" }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      let text = String(decoding: try encoder.encode(self), as: UTF8.self)
      return text.escapingControls + "\n"
    }
  }
}

/// A member that is `null` where it has no value, instead of missing.
@propertyWrapper
struct OrNull<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension String {
  /// The JSON with those characters escaped that a terminal may obey and JSON lets pass.
  fileprivate var escapingControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar != "\n", scalar.steersTerminal, scalar.value <= 0xFFFF {
        let digits = String(scalar.value, radix: 16)
        let padding = String(repeating: "0", count: 4 - digits.count)
        result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
