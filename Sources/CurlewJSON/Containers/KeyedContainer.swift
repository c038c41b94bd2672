/// The members of an object.
///
/// It has a single reference, because the standard library copies it at each access.
struct KeyedContainer<Key: CodingKey>: FrameContainer {
  let frame: KeyedFrame

  var codingPath: [any CodingKey] { frame.codingPath }

  var allKeys: [Key] { frame.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { index(of: key) != 0 }

  // MARK: - Keys

  /// Returns the index of a key's value in the tape; 0 if the object has no such key.
  @inline(__always)
  func index(of key: Key) -> Int {
    frame.index(of: key.stringValue)
  }

  /// Returns the index of a key's value; throws if the object has no such key.
  @inline(__always)
  func value(of key: Key) throws -> Int {
    let index = index(of: key)
    if _slowPath(index == 0) { throw missing(key) }
    return index
  }

  /// Returns the index of a key's value; 0 if it is missing or null.
  @inline(__always)
  func valueIfPresent(of key: Key) -> Int {
    let index = index(of: key)
    return frame.tape[index].kind == Word.Kind.null ? 0 : index
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }

  // MARK: - Values

  func decodeNil(forKey key: Key) throws -> Bool {
    frame.tape[try value(of: key)].kind == Word.Kind.null
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(type, at: try value(of: key), key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try decode(type, at: index, key)
  }

  @inline(__always)
  private func decode<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ key: Key
  ) throws -> Value {
    let decoder = frame.decoder
    let mark = decoder.state.pointee.path.mark
    let parent = frame.node
    let node = decoder.state.pointee.path.add(key, after: parent)
    return try decoder.decode(type, at: index, node, since: mark)
  }

  // MARK: - Containers and decoders

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try frame.decoder.nested(type, at: try value(of: key), codingPath + [key])
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try frame.decoder.nestedList(at: try value(of: key), codingPath + [key])
  }

  func superDecoder() -> any Decoder { decoder(of: PathKey.super, "super") }

  func superDecoder(forKey key: Key) -> any Decoder { decoder(of: key, key.stringValue) }

  private func decoder(of key: any CodingKey, _ name: String) -> TapeDecoder {
    let index = frame.search(name)
    let decoder = frame.decoder
    return decoder.decoder(
      at: index == 0 ? decoder.tape.pointee.null : index, codingPath + [key])
  }
}
