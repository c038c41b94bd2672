import CurlewJSON
import Foundation
import NIOCore

/// A JSON value, in data files and in responses.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Creates a string, or null for nil.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// The value as UTF-8, with sorted keys, so that equal values have equal bytes.
  var encoded: ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return ByteBuffer(bytes: try encoder.encode(self))
    } catch {
      preconditionFailure("A number is not finite: \(error)")
    }
  }

  /// Returns the template with each `<name>` replaced by the value for the name: by the value
  /// itself if it is the whole text, otherwise by its text.
  func filled(_ values: [String: JSON]) -> JSON {
    switch self {
    case .string(let text):
      guard text.contains("<") else { return self }
      if text.first == "<", let value = values[String(text.dropFirst().dropLast())] { return value }
      return .string(
        text.filled { name in
          switch values[name] {
          case .string(let text): text
          case .int(let number): String(number)
          default: nil
          }
        })
    case .array(let elements): return .array(elements.map { $0.filled(values) })
    case .object(let members): return .object(members.mapValues { $0.filled(values) })
    case .null, .bool, .int, .double: return self
    }
  }
}

/// The differences between a document and its template.
struct Change: Decodable, Sendable {
  var set: [String: JSON]?
  var without: [String]?
  /// Whether null replaces the document.
  var isNull: Bool?
}

extension JSON {
  /// Returns the object with a change applied; returns other values unchanged.
  func changed(by change: Change?) -> JSON {
    guard let change, case .object(let members) = self else { return self }
    if change.isNull == true { return .null }
    let kept = members.filter { change.without?.contains($0.key) != true }
    return .object(kept.merging(change.set ?? [:]) { $1 })
  }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func read<Value: Decodable>(_ make: (Value) -> JSON) -> JSON? {
      (try? container.decode(Value.self)).map(make)
    }
    self =
      container.decodeNil()
      ? .null
      : try read(JSON.string) ?? read(JSON.object) ?? read(JSON.array) ?? read(JSON.int)
        ?? read(JSON.double) ?? .bool(container.decode(Bool.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByStringInterpolation,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral
{
  init(nilLiteral: ()) { self = .null }
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(Dictionary(members) { $1 })
  }
}

extension String {
  /// Returns the text with each `<name>` replaced by its value, if there is a value for the name.
  func filled(_ value: (String) -> String?) -> String {
    let parts = split(separator: "<", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      let halves = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2, let value = value(String(halves[0])) {
        text += value + halves[1]
      } else {
        text += "<" + part
      }
    }
  }

  /// The text in lowercase ASCII letters and digits, separated by hyphens, for URLs.
  var slug: String {
    lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }
}

/// Decodes a data file in this target.
func decodeResource<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type = Value.self) -> Value {
  do {
    return try FastJSONDecoder().decode(type, from: Data(bytes))
  } catch {
    preconditionFailure("A data file does not contain \(type): \(error)")
  }
}
