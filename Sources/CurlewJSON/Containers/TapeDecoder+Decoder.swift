extension TapeDecoder: Decoder {
  var codingPath: [any CodingKey] { codingPath(to: state.pointee.node) }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let (index, node) = (state.pointee.value, state.pointee.node)
    guard tape.pointee[index].isObject else {
      throw containerFailure([String: Any].self, "keyed", at: index, codingPath)
    }
    guard state.pointee.isDecoding else { return try nested(type, at: index, codingPath) }
    let table = types.table(type, state.pointee.keyStyle)
    guard let frame = table.pointee.unusedFrames ?? newFrame(table) else {
      return try nested(type, at: index, codingPath)
    }
    table.pointee.unusedFrames = frame.pointee.next
    frame.pointee.next = state.pointee.open
    state.pointee.open = frame
    try frame.open(index, at: node, by: self)
    // A table has its key type's factory.
    return unsafeDowncast(table.pointee.factory, to: ContainerFactory<Key>.self)
      .container(of: frame.pointee.frame)
  }

  @inline(never)
  private func newFrame(
    _ table: UnsafeMutablePointer<KeyTable.State>
  ) -> UnsafeMutablePointer<KeyedFrame.State>? {
    // Limited, because a value that requests containers in a loop would fill the memory permanently.
    guard table.pointee.table.keepsMoreFrames else { return nil }
    let frame = KeyedFrame(self, table)
    frame.keep()
    return frame.state
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = state.pointee.value
    guard tape.pointee[index].kind == Word.Kind.array else {
      throw containerFailure([Any].self, "unkeyed", at: index, codingPath)
    }
    guard state.pointee.isDecoding else {
      return try nestedList(at: index, codingPath)
    }
    let frame = ListFrame(self, index, at: state.pointee.node)
    state.pointee.lists.append(frame)
    return ListContainer(frame)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Creates the container of a nested object, which is not on the current value's path.
  func nested<Key: CodingKey>(
    _ type: Key.Type, at index: Int, _ path: [any CodingKey]
  ) throws -> KeyedDecodingContainer<Key> {
    guard tape.pointee[index].isObject else {
      throw containerFailure([String: Any].self, "keyed", at: index, path)
    }
    let frame = KeyedFrame(self, types.table(type, state.pointee.keyStyle))
    frame.detach(at: path)
    try frame.state.open(index, at: CodingPath.root, by: self)
    return KeyedDecodingContainer(KeyedContainer<Key>(frame: frame))
  }

  func nestedList(
    at index: Int, _ path: [any CodingKey]
  ) throws -> any UnkeyedDecodingContainer {
    guard tape.pointee[index].kind == Word.Kind.array else {
      throw containerFailure([Any].self, "unkeyed", at: index, path)
    }
    let frame = ListFrame(self, index, at: CodingPath.root)
    frame.detach(at: path)
    return ListContainer(frame)
  }

  /// Creates a separate decoder for a value.
  func decoder(at index: Int, _ path: [any CodingKey]) -> TapeDecoder {
    // It has its own type cache, because another thread may use it.
    let decoder = TapeDecoder(document, value: index, at: path)
    decoder.set(settings)
    return decoder
  }
}
