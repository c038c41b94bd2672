import Foundation
import Synchronization
import TestSupport

/// A type created at run time: the values that `Dynamic` decodes.
indirect enum Schema: Sendable {
  enum Scalar: CaseIterable, Sendable {
    case bool, string, int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64,
      uint128
    case double, float, decimal, date, data, url, color, level, null, json, anything
  }

  /// The method for decoding a field or an element.
  enum Mode: CaseIterable, Sendable {
    case decode, ifPresent, optional, attempt, nilFirst, superDecoder, nested, twice, direct
  }

  struct Field: Sendable {
    let name: String
    let mode: Mode
    let schema: Schema
  }

  case scalar(Scalar)
  case optional(Schema)
  case list(Schema)
  case optionals(Schema)
  case map(Schema)
  case numbered(Schema)
  case object([Field])
  /// An object with keys of one byte, as in an enumeration.
  case declared([Field])
  case allKeys(Schema)
  case elements([Mode], Schema)
  case path(Schema)

  static func random(_ random: inout SeededGenerator, depth: Int) -> Schema {
    func inner() -> Schema { .random(&random, depth: depth - 1) }
    guard depth > 0, !random.chance(oneIn: 4) else { return .scalar(random.pick(Scalar.allCases)) }
    switch random.pick(0...13) {
    case 0: return .optional(inner())
    case 1: return .list(inner())
    case 2: return .optionals(inner())
    case 3: return .map(inner())
    case 4: return .numbered(inner())
    case 5: return .allKeys(inner())
    case 6:
      return .elements((0..<random.pick(1...4)).map { _ in random.pick(Mode.allCases) }, inner())
    case 7: return .path(inner())
    default:
      let fields = (0..<random.pick(0...6)).map { _ in
        Field(
          name: random.pick(names),
          mode: random.chance(oneIn: 2) ? .decode : random.pick(Mode.allCases), schema: inner())
      }
      return random.chance(oneIn: 2) ? .object(fields) : .declared(fields)
    }
  }

  static let names = [
    "a", "b", "id", "name", "firstName", "first_name", "created_at", "createdAt", "\u{E9}",
    "e\u{301}", "K", "\u{212A}", "", "a\u{0}b", "_x_", "1", "2",
    "aVeryLongNameThatDoesNotFitIntoSixteenBytes", "super", "日本", "\u{1F600}", "exactly8",
    "exactly16bytes_x",
  ]
}

/// One of the names, as an enumeration case.
///
/// Names that Swift considers equal, such as `K` and the Kelvin sign, are separate cases.
enum NameKey: Int, CodingKey, CaseIterable {
  case name0, name1, name2, name3, name4, name5, name6, name7, name8, name9, name10, name11, name12
  case name13, name14, name15, name16, name17, name18, name19, name20, name21, name22

  var stringValue: String { Schema.names[rawValue] }
  var intValue: Int? { nil }

  init?(intValue: Int) { nil }

  init?(stringValue: String) {
    let index = Schema.names.firstIndex { $0.utf8.elementsEqual(stringValue.utf8) }
    guard let index else { return nil }
    self.init(rawValue: index)
  }
}

/// The schema of the next `Dynamic` value, passed in user info.
final class SchemaSlot: Sendable {
  static let key = CodingUserInfoKey(rawValue: "schema")!
  private let schema: Mutex<Schema>

  /// Whether dictionaries are decoded in document order, also by Foundation's decoder.
  let isOrdered: Bool

  init(_ schema: Schema, isOrdered: Bool) {
    self.schema = Mutex(schema)
    self.isOrdered = isOrdered
  }

  var next: Schema {
    get { schema.withLock { $0 } }
    set { schema.withLock { $0 = newValue } }
  }
}
