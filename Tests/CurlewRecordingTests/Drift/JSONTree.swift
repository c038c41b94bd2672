import Curlew
import CurlewRecording
import Foundation

/// A JSON text as a value that preserves the spelling of numbers; parses only the tests' texts.
enum JSONTree: Hashable {
  case object([String: JSONTree])
  case array([JSONTree])
  case string(String)
  case number(String)
  case boolean(Bool)
  case null

  struct Malformed: Error {}

  init(_ data: Data) throws {
    var rest = [UInt8](data)[...]
    self = try Self.read(&rest)
    guard Self.next(&rest) == nil else { throw Malformed() }
  }

  /// The type as in reports; `nil` for null.
  var type: DriftReport.ValueType? {
    switch self {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number(let text): text.contains(/[.eE]/) ? .number : .integer
    case .boolean: .boolean
    case .null: nil
    }
  }

  var isScalar: Bool { ![nil, .object, .array].contains(type) }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> Character? {
    rest = rest.drop { $0 <= 0x20 }
    return rest.first.map { Character(Unicode.Scalar($0)) }
  }

  private static func read(_ rest: inout ArraySlice<UInt8>) throws -> JSONTree {
    switch next(&rest) {
    case "{":
      var members: [String: JSONTree] = [:]
      try list(&rest, to: "}") { rest in
        guard next(&rest) == "\"" else { throw Malformed() }
        let key = try string(&rest)
        guard next(&rest) == ":" else { throw Malformed() }
        rest = rest.dropFirst()
        members[key] = try read(&rest)
      }
      return .object(members)
    case "[":
      var elements: [JSONTree] = []
      try list(&rest, to: "]") { elements.append(try read(&$0)) }
      return .array(elements)
    case "\"": return .string(try string(&rest))
    case "t":
      rest = rest.dropFirst(4)
      return .boolean(true)
    case "f":
      rest = rest.dropFirst(5)
      return .boolean(false)
    case "n":
      rest = rest.dropFirst(4)
      return .null
    default:
      let number = rest.prefix { "+-.0123456789eE".utf8.contains($0) }
      guard !number.isEmpty else { throw Malformed() }
      rest = rest[number.endIndex...]
      return .number(String(decoding: number, as: UTF8.self))
    }
  }

  private static func list(
    _ rest: inout ArraySlice<UInt8>, to end: Character,
    _ element: (inout ArraySlice<UInt8>) throws -> Void
  ) throws {
    rest = rest.dropFirst()
    while next(&rest) != end {
      try element(&rest)
      if next(&rest) == "," {
        rest = rest.dropFirst()
      } else if next(&rest) != end {
        throw Malformed()
      }
    }
    rest = rest.dropFirst()
  }

  private static func string(_ rest: inout ArraySlice<UInt8>) throws -> String {
    var end = rest.startIndex + 1
    var hasEscape = false
    while rest[end] != UInt8(ascii: "\"") {
      let isEscape = rest[end] == UInt8(ascii: "\\")
      hasEscape = hasEscape || isEscape
      end += isEscape ? 2 : 1
    }
    let quoted = rest[...end]
    rest = rest[(end + 1)...]
    guard hasEscape else { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
    return try JSONDecoder().decode(String.self, from: Data(quoted))
  }
}

extension JSONTree {
  /// The text; keys are in the random order of a dictionary.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .object(let members):
      text += "{"
      for (index, (key, value)) in members.enumerated() {
        if index > 0 { text += "," }
        JSONTree.string(key).write(to: &text)
        text += ": "
        value.write(to: &text)
      }
      text += "}"
    case .array(let elements):
      text += "[ "
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "\n," }
        element.write(to: &text)
      }
      text += "]"
    case .string(let string):
      text += "\""
      for scalar in string.unicodeScalars {
        if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      text += "\""
    case .number(let number): text += number
    case .boolean(let value): text += value ? "true" : "false"
    case .null: text += "null"
    }
  }
}

/// A coding path of keys, with `[]` for all elements of an array.
typealias Pattern = [String]

extension JSONTree {
  /// Collects the coding paths of all values.
  func patterns(below path: Pattern = [], into result: inout Set<Pattern>) {
    result.insert(path)
    switch self {
    case .object(let members):
      for (key, value) in members { value.patterns(below: path + [key], into: &result) }
    case .array(let elements):
      for element in elements { element.patterns(below: path + ["[]"], into: &result) }
    default: break
    }
  }

  /// Returns the values at a coding path.
  func values(at path: ArraySlice<String>) -> [JSONTree] {
    guard let step = path.first else { return [self] }
    return switch self {
    case .object(let members): members[step]?.values(at: path.dropFirst()) ?? []
    case .array(let elements) where step == "[]":
      elements.flatMap { $0.values(at: path.dropFirst()) }
    default: []
    }
  }

  /// Returns the tree with all values at a coding path changed.
  func changing(_ path: ArraySlice<String>, _ change: (JSONTree) -> JSONTree) -> JSONTree {
    guard let step = path.first else { return change(self) }
    switch self {
    case .object(var members):
      members[step] = members[step]?.changing(path.dropFirst(), change)
      return .object(members)
    case .array(let elements) where step == "[]":
      return .array(elements.map { $0.changing(path.dropFirst(), change) })
    default: return self
    }
  }
}
