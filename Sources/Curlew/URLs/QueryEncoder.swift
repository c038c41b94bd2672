import Foundation

/// Writes the properties of a value as the items of a query.
struct QueryEncoder: Encoder {
  /// The items so far, which all containers of one value share.
  final class Items {
    var values: [Query.Item] = []
  }

  let items: Items
  let dates: JSONEncoder.DateEncodingStrategy
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(dates: JSONEncoder.DateEncodingStrategy) {
    self.init(items: Items(), dates: dates, codingPath: [])
  }

  fileprivate init(
    items: Items, dates: JSONEncoder.DateEncodingStrategy, codingPath: [any CodingKey]
  ) {
    self.items = items
    self.dates = dates
    self.codingPath = codingPath
  }

  fileprivate func at(_ key: any CodingKey) -> QueryEncoder {
    QueryEncoder(items: items, dates: dates, codingPath: codingPath + [key])
  }

  fileprivate func unsupported(_ reason: String) -> EncodingError {
    .unsupported(codingPath, reason)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(QueryObject<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    QueryArray(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    QueryScalar(encoder: self)
  }

  /// Adds a value; some encode themselves in another way than a query needs.
  fileprivate func add(_ value: some Encodable) throws {
    switch value {
    case let text as String: try add(text: text)
    case let bool as Bool: try add(text: bool.description)
    case let integer as any BinaryInteger: try add(text: "\(integer)")
    case let number as Double: try add(text: number.description, isFinite: number.isFinite)
    case let number as Float: try add(text: number.description, isFinite: number.isFinite)
    case let number as Decimal: try add(text: number.description, isFinite: number.isFinite)
    case let url as URL: try add(text: url.absoluteString)
    case let data as Data: try add(text: data.base64EncodedString())
    case let date as Date: try add(date)
    default: try value.encode(to: self)
    }
  }

  private func add(_ date: Date) throws {
    let seconds = date.timeIntervalSince1970
    let text: String?
    switch dates {
    case .iso8601: text = date.iso8601Text
    case .secondsSince1970: text = Self.text(of: seconds)
    case .millisecondsSince1970: text = Self.text(of: (seconds * 1000).rounded())
    #if canImport(Darwin)
      case .formatted(let formatter): text = formatter.string(from: date)
    #endif
    case .custom(let encode):
      do { return try encode(date, self) } catch { throw unsupported("\(error)") }
    case .deferredToDate: return try date.encode(to: self)
    @unknown default: text = nil
    }
    guard let text else { throw unsupported("the date has no text in this format") }
    try add(text: text)
  }

  private static func text(of number: Double) -> String? {
    Int64(exactly: number).map { "\($0)" } ?? (number.isFinite ? "\(number)" : nil)
  }

  private func add(text: String, isFinite: Bool = true) throws {
    guard isFinite else { throw unsupported("the number is not finite") }
    guard let name = codingPath.first, !(name is QueryIndex) else {
      throw unsupported("it has no name; encode a struct or a dictionary")
    }
    items.values.append(Query.Item(name.stringValue, text))
  }
}

/// The properties of the value itself; those of a nested object are rejected.
private struct QueryObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: QueryEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {}

  func encode(_ value: some Encodable, forKey key: Key) throws {
    guard codingPath.isEmpty else {
      throw encoder.unsupported("a nested object has no standard form in a query")
    }
    try encoder.at(key).add(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder.at(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.at(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.at(QueryIndex(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.at(key) }
}

/// The elements of an array, which all have the array's name.
private struct QueryArray: UnkeyedEncodingContainer {
  let encoder: QueryEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { encoder.codingPath }

  init(encoder: QueryEncoder) { self.encoder = encoder }

  private mutating func next() -> QueryEncoder {
    defer { count += 1 }
    return encoder.at(QueryIndex(intValue: count))
  }

  mutating func encodeNil() throws { count += 1 }

  mutating func encode(_ value: some Encodable) throws {
    guard codingPath.count < 2 else {
      throw encoder.unsupported("an array in an array has no standard form in a query")
    }
    try next().add(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    next().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { next() }
}

/// A single value.
private struct QueryScalar: SingleValueEncodingContainer {
  let encoder: QueryEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws {}
  func encode(_ value: some Encodable) throws { try encoder.add(value) }
}

/// The index of an element, which is no name; or the key of a superclass with an object of its own.
private struct QueryIndex: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
