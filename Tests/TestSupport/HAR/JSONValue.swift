// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Any JSON value, whose members can be read and changed individually.
public enum JSONValue: Decodable, Equatable, Sendable {
  case object([String: JSONValue])
  case list([JSONValue])
  case text(String)
  case number(Double)
  case bool(Bool)
  case null

  public init(_ data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// The paths of all members of objects, at any depth: names, and indices of lists.
  public var paths: [[String]] {
    switch self {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, value in
        [[name]] + value.paths.map { [name] + $0 }
      }
    case .list(let values):
      values.enumerated().flatMap { index, value in value.paths.map { ["\(index)"] + $0 } }
    default: []
    }
  }

  public subscript(path: ArraySlice<String>) -> JSONValue? {
    get {
      guard let first = path.first else { return self }
      return switch self {
      case .object(let members): members[first]?[path.dropFirst()]
      case .list(let values): Int(first).flatMap { values[$0][path.dropFirst()] }
      default: nil
      }
    }
    set {
      guard let first = path.first else {
        self = newValue ?? .null
        return
      }
      switch self {
      case .object(var members):
        if path.count == 1 {
          members[first] = newValue
        } else {
          members[first]?[path.dropFirst()] = newValue
        }
        self = .object(members)
      case .list(var values):
        if let index = Int(first) { values[index][path.dropFirst()] = newValue }
        self = .list(values)
      default: break
      }
    }
  }
}
