/// The elements of a list.
struct ListContainer: UnkeyedDecodingContainer {
  private let frame: ListFrame
  /// The index of the next element in the tape; at the end, the index after the list.
  private var next: Int
  private(set) var currentIndex = 0

  init(_ frame: ListFrame) {
    self.frame = frame
    next = frame.list + 1
  }

  var codingPath: [any CodingKey] { frame.codingPath }

  var count: Int? { frame.count }

  var isAtEnd: Bool { currentIndex >= frame.count }

  // MARK: - Elements

  /// Returns the index of the next element in the tape; throws at the end.
  private func element(_ type: any Any.Type) throws -> Int {
    guard next < frame.decoder.tape.pointee[frame.list].offset else { throw atEnd(type) }
    return next
  }

  /// Returns the index of the next element in the tape; `nil` at the end or for null.
  private func elementIfPresent() -> Int? {
    let tape = frame.decoder.tape
    let isThere = next < tape.pointee[frame.list].offset
    return isThere && tape.pointee[next].kind != Word.Kind.null ? next : nil
  }

  private mutating func advance() {
    currentIndex += 1
    let tape = frame.decoder.tape
    if next < tape.pointee[frame.list].offset { next = tape.pointee.index(after: next) }
  }

  private func atEnd(_ type: any Any.Type) -> DecodingError {
    let message =
      type == (any Decoder).self
      ? "Cannot get superDecoder() -- unkeyed container is at end."
      : "Unkeyed container is at end."
    return .valueNotFound(
      type, DecodingError.Context(codingPath: elementPath, debugDescription: message))
  }

  private var elementPath: [any CodingKey] { codingPath + [PathKey(index: currentIndex)] }

  // MARK: - Values

  mutating func decodeNil() throws -> Bool {
    let index = try element(Never.self)
    guard frame.decoder.tape.pointee[index].kind == Word.Kind.null else { return false }
    advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decode(type, at: try element(type))
    advance()
    return value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    let value = try elementIfPresent().map { try decode(type, at: $0) }
    advance()
    return value
  }

  private func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let decoder = frame.decoder
    let mark = decoder.state.pointee.path.mark
    return try decoder.decode(type, at: index, frame.addNode(currentIndex), since: mark)
  }

  @inline(__always)
  private mutating func scalar<Value: Scalar>() throws -> Value {
    let value = try scalar(Value.self, at: try element(Value.self))
    advance()
    return value
  }

  @inline(__always)
  private mutating func scalarIfPresent<Value: Scalar>() throws -> Value? {
    let value = try elementIfPresent().map { try scalar(Value.self, at: $0) }
    advance()
    return value
  }

  @inline(__always)
  private func scalar<Value: Scalar>(_ type: Value.Type, at index: Int) throws -> Value {
    try frame.decoder.scalar(type, at: index, elementPath)
  }

  mutating func decode(_: Bool.Type) throws -> Bool { try scalar() }
  mutating func decode(_: String.Type) throws -> String { try scalar() }
  mutating func decode(_: Double.Type) throws -> Double { try scalar() }
  mutating func decode(_: Float.Type) throws -> Float { try scalar() }
  mutating func decode(_: Int.Type) throws -> Int { try scalar() }
  mutating func decode(_: Int8.Type) throws -> Int8 { try scalar() }
  mutating func decode(_: Int16.Type) throws -> Int16 { try scalar() }
  mutating func decode(_: Int32.Type) throws -> Int32 { try scalar() }
  mutating func decode(_: Int64.Type) throws -> Int64 { try scalar() }
  mutating func decode(_: Int128.Type) throws -> Int128 { try scalar() }
  mutating func decode(_: UInt.Type) throws -> UInt { try scalar() }
  mutating func decode(_: UInt8.Type) throws -> UInt8 { try scalar() }
  mutating func decode(_: UInt16.Type) throws -> UInt16 { try scalar() }
  mutating func decode(_: UInt32.Type) throws -> UInt32 { try scalar() }
  mutating func decode(_: UInt64.Type) throws -> UInt64 { try scalar() }
  mutating func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

  mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: String.Type) throws -> String? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Double.Type) throws -> Double? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try scalarIfPresent() }

  // MARK: - Containers and decoders

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let index = try element(KeyedDecodingContainer<NestedKey>.self)
    let container = try frame.decoder.nested(type, at: index, elementPath)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = try element((any UnkeyedDecodingContainer).self)
    let container = try frame.decoder.nestedList(at: index, elementPath)
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = frame.decoder.decoder(at: try element((any Decoder).self), elementPath)
    advance()
    return decoder
  }
}
