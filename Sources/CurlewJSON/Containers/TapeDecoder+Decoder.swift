import Foundation

extension TapeDecoder: Decoder {
  var codingPath: [any CodingKey] { codingPath(to: state.pointee.node) }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let (index, node) = (state.pointee.value, state.pointee.node)
    guard tape.pointee[index].isObject else {
      throw containerFailure([String: Any].self, "keyed", at: index, codingPath)
    }
    guard state.pointee.isDecoding else { return try nested(type, at: index, keys(to: node)) }
    let table = types.table(type, state.pointee.keyStyle).state
    if let frame = table.pointee.unusedFrames {
      table.pointee.unusedFrames = frame.pointee.next
      push(frame)
      try frame.pointee.frame.open(index, at: node, by: self)
      return frame.pointee.frame.reused(type)
    }
    return try newContainer(type, index, node)
  }

  @inline(__always)
  private func push(_ frame: UnsafeMutablePointer<KeyedFrame.State>) {
    frame.pointee.next = state.pointee.open
    state.pointee.open = frame
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    _ type: Key.Type, _ index: Int, _ node: Int32
  ) throws -> KeyedDecodingContainer<Key> {
    let table = types.table(type, state.pointee.keyStyle)
    // A value that asks for containers in a loop would fill the memory for good.
    guard table.keepsMoreFrames else { return try nested(type, at: index, keys(to: node)) }
    let frame = KeyedFrame(self, table)
    let container = KeyedDecodingContainer(KeyedContainer<Key>(frame: frame))
    frame.keep(container)
    push(frame.state)
    try frame.open(index, at: node, by: self)
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = state.pointee.value
    guard tape.pointee[index].kind == Word.Kind.array else {
      throw containerFailure([Any].self, "unkeyed", at: index, codingPath)
    }
    guard state.pointee.isDecoding else {
      return try nestedList(at: index, keys(to: state.pointee.node))
    }
    let frame = ListFrame(self, index, at: state.pointee.node)
    state.pointee.lists.append(frame)
    return ListContainer(frame)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Makes the container of an object within an object or list, which the value's nodes do not lead to.
  func nested<Key: CodingKey>(
    _ type: Key.Type, at index: Int, _ path: [any CodingKey]
  ) throws -> KeyedDecodingContainer<Key> {
    guard tape.pointee[index].isObject else {
      throw containerFailure([String: Any].self, "keyed", at: index, basePath + path)
    }
    let frame = KeyedFrame(self, types.table(type, state.pointee.keyStyle))
    frame.detach(at: path)
    try frame.open(index, at: CodingPath.root, by: self)
    return KeyedDecodingContainer(KeyedContainer<Key>(frame: frame))
  }

  func nestedList(
    at index: Int, _ path: [any CodingKey]
  ) throws -> any UnkeyedDecodingContainer {
    guard tape.pointee[index].kind == Word.Kind.array else {
      throw containerFailure([Any].self, "unkeyed", at: index, basePath + path)
    }
    let frame = ListFrame(self, index, at: CodingPath.root)
    frame.detach(at: path)
    return ListContainer(frame)
  }

  /// Makes a decoder of its own for a value.
  func decoder(at index: Int, _ path: [any CodingKey]) -> TapeDecoder {
    let decoder = TapeDecoder(document, types, value: index, at: basePath + path)
    decoder.set(settings)
    return decoder
  }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tape.pointee[state.pointee.value].kind == Word.Kind.null }

  func decode(_ type: Bool.Type) throws -> Bool {
    let index = state.pointee.value
    guard let value = tape.pointee.bool(at: index) else {
      throw failure(type, at: index, codingPath)
    }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    let index = state.pointee.value
    guard let value = tape.pointee.string(at: index) else {
      throw failure(type, at: index, codingPath)
    }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    let index = state.pointee.value
    guard let value = double(at: index) else { throw failure(type, at: index, codingPath) }
    return value
  }

  func decode(_ type: Float.Type) throws -> Float {
    let index = state.pointee.value
    guard let value = float(at: index) else { throw failure(type, at: index, codingPath) }
    return value
  }

  func decode(_: Int.Type) throws -> Int { try integer() }
  func decode(_: Int8.Type) throws -> Int8 { try integer() }
  func decode(_: Int16.Type) throws -> Int16 { try integer() }
  func decode(_: Int32.Type) throws -> Int32 { try integer() }
  func decode(_: Int64.Type) throws -> Int64 { try integer() }
  func decode(_: Int128.Type) throws -> Int128 { try integer() }
  func decode(_: UInt.Type) throws -> UInt { try integer() }
  func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_: UInt128.Type) throws -> UInt128 { try integer() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let mark = state.pointee.path.mark
    return try decode(type, at: state.pointee.value, state.pointee.node, since: mark)
  }

  @inline(__always)
  private func integer<Value: FixedWidthInteger>() throws -> Value {
    let index = state.pointee.value
    guard let value = tape.pointee.integer(Value.self, at: index) else {
      throw failure(Value.self, at: index, codingPath)
    }
    return value
  }
}

extension TapeDecoder {
  /// Returns the number at an index of the tape, also one that is written as the strategy for infinite
  /// numbers says.
  @inline(__always)
  func double(at index: Int) -> Double? {
    tape.pointee.double(at: index) ?? nonConforming(at: index)
  }

  func float(at index: Int) -> Float? {
    tape.pointee.float(at: index) ?? nonConforming(at: index)
  }

  @inline(never)
  func nonConforming<Value: BinaryFloatingPoint>(at index: Int) -> Value? {
    // Foundation compares the bytes of strings without escapes.
    let word = tape.pointee[index]
    guard word.kind == Word.Kind.ascii || word.kind == Word.Kind.utf8 else { return nil }
    guard case .convertFromString(let positive, let negative, let nan) = settings.floats else {
      return nil
    }
    let text = UnsafeRawBufferPointer(
      start: tape.pointee.bytes + word.offset, count: word.length)
    if text.elementsEqual(positive.utf8) { return .infinity }
    if text.elementsEqual(negative.utf8) { return -.infinity }
    return text.elementsEqual(nan.utf8) ? .nan : nil
  }
}
