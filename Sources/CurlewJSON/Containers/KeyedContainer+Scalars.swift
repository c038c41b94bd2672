extension KeyedContainer {
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try scalarIfPresent(key)
  }

  @inline(__always)
  private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
    try scalar(at: try value(of: key), key)
  }

  @inline(__always)
  private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try scalar(at: index, key)
  }

  @inline(__always)
  private func scalar<Value: Scalar>(at index: Int, _ key: Key) throws -> Value {
    // The fast path avoids retaining the decoder.
    if let value = Value.read(frame.state.pointee.tape, index) { return value }
    return try frame.decoder.scalar(Value.self, at: index, codingPath + [key])
  }
}
