import CurlewTerminal
import Foundation

/// A JSON object with members of any type, or null.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: [(String, (any Encodable)?)]

  package init(dictionaryLiteral members: (String, (any Encodable)?)...) { self.members = members }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value {
        try container.encode(value, forKey: Name(stringValue: name))
      } else {
        try container.encodeNil(forKey: Name(stringValue: name))
      }
    }
  }
}

extension Encodable {
  /// The value as JSON for scripts: keys in alphabetical order, dates as in RFC 3339.
  package var json: String {
    get throws {
      // The encoder would write a blank line between the brackets.
      if let list = self as? [any Encodable], list.isEmpty { return "[]\n" }
      return try json(.prettyPrinted)
    }
  }

  /// The value as one line of JSON.
  var jsonLine: String { get throws { try json([]) } }

  private func json(_ formatting: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    encoder.dateEncodingStrategy = .iso8601
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    return text.escapingControls + "\n"
  }
}

extension String {
  /// The JSON with terminal control characters escaped that JSON itself permits.
  fileprivate var escapingControls: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      if scalar != "\n", !(0x20..<0x7F).contains(scalar.value),
        scalar.value <= 0xFFFF, String(scalar).printable != String(scalar)
      {
        result += "\\u" + String(format: "%04x", scalar.value)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
