/// The elements of a list.
struct ListContainer: UnkeyedDecodingContainer {
  private let frame: ListFrame
  /// The index of the next element in the tape; the index after the list at its end.
  private var next: Int
  private(set) var currentIndex = 0

  init(_ frame: ListFrame) {
    self.frame = frame
    next = frame.list + 1
  }

  var codingPath: [any CodingKey] { frame.decoder.codingPath(to: CodingPath.root) + frame.keys }

  var count: Int? { frame.count }

  var isAtEnd: Bool { currentIndex >= frame.count }

  // MARK: - Finding elements

  /// Returns the index of the next element in the tape; throws at the end.
  private func element(_ type: any Any.Type) throws -> Int {
    guard next < frame.decoder.tape.pointee[frame.list].offset else { throw atEnd(type) }
    return next
  }

  /// Returns the index of the next element in the tape; `nil` at the end, or for null.
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

  /// Decodes the next element by a function that returns `nil` for one that it can't decode.
  @inline(__always)
  private mutating func decode<Value>(
    _ type: Value.Type, _ read: (TapeDecoder, Int) -> Value?,
    _ failure: (TapeDecoder, Int, [any CodingKey]) -> DecodingError
  ) throws -> Value {
    let index = try element(type)
    guard let value = read(frame.decoder, index) else {
      throw failure(frame.decoder, index, elementPath)
    }
    advance()
    return value
  }

  @inline(__always)
  private mutating func decodeIfPresent<Value>(
    _ read: (TapeDecoder, Int) -> Value?,
    _ failure: (TapeDecoder, Int, [any CodingKey]) -> DecodingError
  ) throws -> Value? {
    guard let index = elementIfPresent() else {
      advance()
      return nil
    }
    guard let value = read(frame.decoder, index) else {
      throw failure(frame.decoder, index, elementPath)
    }
    advance()
    return value
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try decode(type, { $0.tape.pointee.bool(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
    try decodeIfPresent({ $0.tape.pointee.bool(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try decode(type, { $0.tape.pointee.string(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    try decodeIfPresent({ $0.tape.pointee.string(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try decode(type, { $0.double(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    try decodeIfPresent({ $0.double(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try decode(type, { $0.float(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
    try decodeIfPresent({ $0.float(at: $1) }, { $0.failure(type, at: $1, $2) })
  }

  mutating func decode(_: Int.Type) throws -> Int { try integer() }
  mutating func decode(_: Int8.Type) throws -> Int8 { try integer() }
  mutating func decode(_: Int16.Type) throws -> Int16 { try integer() }
  mutating func decode(_: Int32.Type) throws -> Int32 { try integer() }
  mutating func decode(_: Int64.Type) throws -> Int64 { try integer() }
  mutating func decode(_: Int128.Type) throws -> Int128 { try integer() }
  mutating func decode(_: UInt.Type) throws -> UInt { try integer() }
  mutating func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
  mutating func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
  mutating func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
  mutating func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
  mutating func decode(_: UInt128.Type) throws -> UInt128 { try integer() }

  mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try integerIfPresent() }
  mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try integerIfPresent() }
  mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try integerIfPresent() }
  mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try integerIfPresent() }
  mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try integerIfPresent() }
  mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try integerIfPresent() }
  mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try integerIfPresent() }
  mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try integerIfPresent() }
  mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try integerIfPresent() }
  mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try integerIfPresent() }

  @inline(__always)
  private mutating func integer<Value: FixedWidthInteger>() throws -> Value {
    try decode(
      Value.self, { $0.tape.pointee.integer(Value.self, at: $1) },
      { $0.failure(Value.self, at: $1, $2) })
  }

  @inline(__always)
  private mutating func integerIfPresent<Value: FixedWidthInteger>() throws -> Value? {
    try decodeIfPresent(
      { $0.tape.pointee.integer(Value.self, at: $1) }, { $0.failure(Value.self, at: $1, $2) })
  }

  // MARK: - Containers and decoders

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let index = try element(KeyedDecodingContainer<NestedKey>.self)
    let container = try frame.decoder.nested(type, at: index, elementKeys)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = try element((any UnkeyedDecodingContainer).self)
    let container = try frame.decoder.nestedList(at: index, elementKeys)
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = frame.decoder.decoder(at: try element((any Decoder).self), elementKeys)
    advance()
    return decoder
  }

  private var elementKeys: [any CodingKey] { frame.keys + [PathKey(index: currentIndex)] }
}
