/// A value under the key "v".
struct Holder<Value: Decodable & Equatable>: Decodable, Equatable {
  let v: Value
}

/// A value under the key "v" that may be missing or null.
struct Maybe<Value: Decodable & Equatable>: Decodable, Equatable {
  let v: Value?
}

/// A value whose initializer decodes nothing.
struct Unread: Decodable, Equatable { init(from decoder: any Decoder) throws {} }

/// A key with any name.
struct AnyKey: CodingKey, Hashable, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
  init(stringLiteral value: String) { self.init(stringValue: value) }
}

/// The result of a closure with a decoder, including the errors that it recorded.
///
/// The closure is identified by its type, because a `Decodable` type can't receive a closure.
struct Probe<Steps: ProbeSteps>: Decodable, Equatable {
  let lines: [String]

  init(from decoder: any Decoder) throws {
    var log = Log()
    try Steps.run(decoder, &log)
    lines = log.lines
  }
}

protocol ProbeSteps {
  static func run(_ decoder: any Decoder, _ log: inout Log) throws
}

/// A log of the steps of decoding a value.
struct Log {
  var lines: [String] = []

  mutating func add(_ line: Any) { lines.append("\(line)") }

  mutating func add(path: [any CodingKey]) {
    lines.append(path.map(Failure.describe).joined(separator: "."))
  }

  /// Logs a decoder's results for all kinds of calls.
  mutating func ask(_ decoder: any Decoder) {
    add(path: decoder.codingPath)
    add(decoder.userInfo.count)
    attempt { try JSONValue(from: decoder) }
    attempt { try decoder.container(keyedBy: AnyKey.self).allKeys.count }
    attempt { try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "a") }
    attempt {
      var elements = try decoder.unkeyedContainer()
      return (elements.count as Any, try elements.decode(Int.self), try elements.decode(Int.self))
    }
    attempt { try decoder.singleValueContainer().decodeNil() }
    attempt { try decoder.singleValueContainer().decode(String.self) }
    attempt { try decoder.singleValueContainer().decode(Int.self) }
    attempt { try decoder.singleValueContainer().decode(Bool.self) }
    attempt { try decoder.singleValueContainer().decode(Holder<Int>.self) }
    attempt { try decoder.singleValueContainer().decode([Int?].self) }
  }

  /// Logs a value or an error.
  ///
  /// For malformed scalars, logs only that decoding failed: Foundation throws an internal error.
  mutating func attempt(_ body: () throws -> Any) {
    do {
      lines.append("\(try body())")
    } catch DecodingError.dataCorrupted {
      lines.append("corrupted")
    } catch let error as DecodingError {
      lines.append(Failure(error).description)
    } catch {
      lines.append(String(reflecting: error).contains("JSONError") ? "corrupted" : "\(error)")
    }
  }
}

/// Any JSON value, as users define such a type.
enum JSONValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
  /// A text with sorted keys, so that equal values have equal texts.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "\(number)"
    case .string(let string): string.debugDescription
    case .array(let array): "\(array)"
    case .object(let object): "\(object.sorted { $0.key < $1.key })"
    }
  }

  var debugDescription: String { description }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(nilLiteral: ()) { self = .null }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(floatLiteral value: Double) { self = .number(value) }
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { $1 })
  }
}
