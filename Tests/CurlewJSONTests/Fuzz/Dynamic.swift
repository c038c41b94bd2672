import Foundation

/// A value that follows a schema created at run time, as a text of all decoded values.
struct Dynamic: Decodable, Equatable, CustomStringConvertible {
  let text: String
  var description: String { text }

  init(from decoder: any Decoder) throws {
    guard let slot = decoder.userInfo[SchemaSlot.key] as? SchemaSlot else {
      text = "no schema"
      return
    }
    let schema = slot.next
    // The next sibling follows the same schema.
    defer { slot.next = schema }
    text = try Self.read(schema, decoder, slot)
  }

  enum Color: String, Decodable { case red, green, blue = "blau" }
  enum Level: Int16, Decodable { case one = 1, two, large = 300 }

  private static func read(
    _ schema: Schema, _ decoder: any Decoder, _ slot: SchemaSlot
  ) throws -> String {
    switch schema {
    case .scalar(let scalar): return try read(scalar, decoder)
    case .optional(let inner):
      slot.next = inner
      return "\(try decoder.singleValueContainer().decode(Dynamic?.self)?.text ?? "nil")"
    case .list(let inner):
      slot.next = inner
      return "\(try [Dynamic](from: decoder).map(\.text))"
    case .optionals(let inner):
      slot.next = inner
      return
        "\(try decoder.singleValueContainer().decode([Dynamic?].self).map { $0?.text ?? "nil" })"
    case .map(let inner):
      if !slot.isOrdered { try readInOrder(inner, decoder, slot) }
      slot.next = inner
      return sorted(try decoder.singleValueContainer().decode([String: Dynamic].self))
    case .numbered(let inner):
      try readInOrder(inner, decoder, slot)
      let names = try? decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      if let names, names.count > 1, names.contains(where: { Int($0) == nil }) {
        return "not numbers"
      }
      slot.next = inner
      return sorted(try [Int: Dynamic](from: decoder))
    case .object(let fields):
      let container = try decoder.container(keyedBy: AnyKey.self)
      return "{\(try fields.map { try read($0, container, slot) }.joined(separator: ","))}"
    case .declared(let fields):
      let container = try decoder.container(keyedBy: NameKey.self)
      let keys = container.allKeys.map(\.stringValue).sorted()
      return try "\(keys){\(fields.map { try read($0, container, slot) }.joined(separator: ","))}"
    case .allKeys(let inner):
      let container = try decoder.container(keyedBy: AnyKey.self)
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      return
        "\(try keys.map { try read(Schema.Field(name: $0.stringValue, mode: .decode, schema: inner), container, slot) })"
    case .elements(let modes, let inner):
      return try read(modes, inner, decoder.unkeyedContainer(), slot)
    case .path(let inner):
      let path = decoder.codingPath.map(Failure.describe).joined(separator: ".")
      slot.next = inner
      let value = try decoder.singleValueContainer().decode(Dynamic.self).text
      return path + ":" + value + ":"
        + decoder.codingPath.map(Failure.describe).joined(separator: ".")
    }
  }

  /// Decodes the values of several keys in the order of the keys, because Foundation decodes dictionaries in random
  /// order, which matters if several values are invalid.
  private static func readInOrder(
    _ schema: Schema, _ decoder: any Decoder, _ slot: SchemaSlot
  ) throws {
    guard let container = try? decoder.container(keyedBy: AnyKey.self) else { return }
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    guard keys.count > 1 else { return }
    for key in keys {
      slot.next = schema
      _ = try container.decode(Dynamic.self, forKey: key)
    }
  }

  private static func sorted<Key>(_ values: [Key: Dynamic]) -> String {
    values.map { "\($0):\($1.text)" }.sorted().joined(separator: ",")
  }

  private static func read(_ scalar: Schema.Scalar, _ decoder: any Decoder) throws -> String {
    let container = try decoder.singleValueContainer()
    switch scalar {
    case .bool: return "\(try container.decode(Bool.self))"
    case .string: return Failure.describe(AnyKey(stringValue: try container.decode(String.self)))
    case .int: return "\(try container.decode(Int.self))"
    case .int8: return "\(try container.decode(Int8.self))"
    case .int16: return "\(try container.decode(Int16.self))"
    case .int32: return "\(try container.decode(Int32.self))"
    case .int64: return "\(try container.decode(Int64.self))"
    case .int128: return "\(try container.decode(Int128.self))"
    case .uint: return "\(try container.decode(UInt.self))"
    case .uint8: return "\(try container.decode(UInt8.self))"
    case .uint16: return "\(try container.decode(UInt16.self))"
    case .uint32: return "\(try container.decode(UInt32.self))"
    case .uint64: return "\(try container.decode(UInt64.self))"
    case .uint128: return "\(try container.decode(UInt128.self))"
    case .double: return "\(try container.decode(Double.self).bitPattern)"
    case .float: return "\(try container.decode(Float.self).bitPattern)"
    case .decimal: return "\(try container.decode(Decimal.self))"
    case .date: return "\(try container.decode(Date.self).timeIntervalSinceReferenceDate)"
    case .data: return try container.decode(Data.self).base64EncodedString()
    case .url: return try container.decode(URL.self).absoluteString
    case .color: return "\(try container.decode(Color.self))"
    case .level: return "\(try container.decode(Level.self))"
    case .null: return "\(container.decodeNil())"
    case .json: return "\(try JSONValue(from: decoder))"
    case .anything: return "anything"
    }
  }

  private static func read<Key: CodingKey>(
    _ field: Schema.Field, _ container: KeyedDecodingContainer<Key>, _ slot: SchemaSlot
  ) throws -> String {
    guard let key = Key(stringValue: field.name) else { return "no key" }
    slot.next = field.schema
    func value() throws -> String { try container.decode(Dynamic.self, forKey: key).text }
    switch field.mode {
    case .decode: return try value()
    case .ifPresent: return try container.decodeIfPresent(Dynamic.self, forKey: key)?.text ?? "nil"
    case .optional: return try container.decode(Dynamic?.self, forKey: key)?.text ?? "nil"
    case .attempt: return (try? value()) ?? "failed"
    case .nilFirst: return try container.decodeNil(forKey: key) ? "null" : value()
    case .superDecoder: return try Dynamic(from: container.superDecoder(forKey: key)).text
    case .twice: return try "\(container.contains(key))" + ((try? value()) ?? "") + value()
    case .direct: return try direct(field.schema, container, key) ?? value()
    case .nested:
      if let nested = try? container.nestedContainer(keyedBy: AnyKey.self, forKey: key) {
        return "\(nested.allKeys.count) keys at \(nested.codingPath.map(Failure.describe))"
          + (try value())
      }
      let count = try container.nestedUnkeyedContainer(forKey: key).count
      return "\(count ?? -1) elements"
    }
  }

  /// Decodes a scalar with the method for its type.
  private static func direct<Key: CodingKey>(
    _ schema: Schema, _ container: KeyedDecodingContainer<Key>, _ key: Key
  ) throws -> String? {
    guard case .scalar(let scalar) = schema else { return nil }
    switch scalar {
    case .bool: return "\(try container.decodeIfPresent(Bool.self, forKey: key) as Any)"
    case .string: return "\(try container.decodeIfPresent(String.self, forKey: key) as Any)"
    case .int: return "\(try container.decode(Int.self, forKey: key))"
    case .uint8: return "\(try container.decodeIfPresent(UInt8.self, forKey: key) as Any)"
    case .int64: return "\(try container.decodeIfPresent(Int64.self, forKey: key) as Any)"
    case .double: return "\(try container.decode(Double.self, forKey: key))"
    case .float: return "\(try container.decodeIfPresent(Float.self, forKey: key) as Any)"
    case .uint64: return "\(try container.decode([UInt64].self, forKey: key))"
    case .int32:
      return "\(try container.decode([String: Int32].self, forKey: key).sorted { $0.key < $1.key })"
    case .int16: return "\(try container.decode([Int16?].self, forKey: key))"
    case .date:
      return
        "\(try container.decodeIfPresent(Date.self, forKey: key)?.timeIntervalSince1970 as Any)"
    default: return nil
    }
  }

  private static func read(
    _ modes: [Schema.Mode], _ inner: Schema, _ elements: any UnkeyedDecodingContainer,
    _ slot: SchemaSlot
  ) throws -> String {
    var (elements, lines) = (elements, [String]())
    // Also calls a method once beyond the last element.
    for index in 0...(elements.count ?? 0) {
      slot.next = inner
      switch modes[index % modes.count] {
      case .decode, .direct:
        guard !elements.isAtEnd else { continue }
        lines.append(try elements.decode(Dynamic.self).text)
      case .ifPresent: lines.append(try elements.decodeIfPresent(Dynamic.self)?.text ?? "nil")
      case .optional: lines.append(try elements.decode(Dynamic?.self)?.text ?? "nil")
      case .attempt: lines.append((try? elements.decode(Dynamic.self))?.text ?? "failed")
      case .nilFirst:
        lines.append(try elements.decodeNil() ? "null" : elements.decode(Dynamic.self).text)
      case .superDecoder: lines.append(try Dynamic(from: elements.superDecoder()).text)
      case .nested:
        lines.append("\(try elements.nestedContainer(keyedBy: AnyKey.self).allKeys.count)")
      case .twice:
        lines.append(
          try (try? elements.decode(Int.self).description) ?? elements.decode(Dynamic.self).text)
      }
      lines.append("\(elements.currentIndex)\(elements.isAtEnd)")
    }
    return lines.joined(separator: ",")
  }
}
