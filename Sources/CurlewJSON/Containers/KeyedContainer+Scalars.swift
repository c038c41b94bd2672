extension KeyedContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try bool(at: try value(of: key), key)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try bool(at: index, key)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try string(at: try value(of: key), key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try string(at: index, key)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try double(at: try value(of: key), key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try double(at: index, key)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try float(at: try value(of: key), key)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try float(at: index, key)
  }

  func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(key) }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try integerIfPresent(key)
  }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try integerIfPresent(key)
  }

  // MARK: -

  @inline(__always)
  private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value {
    try integer(at: try value(of: key), key)
  }

  @inline(__always)
  private func integerIfPresent<Value: FixedWidthInteger>(_ key: Key) throws -> Value? {
    let index = valueIfPresent(of: key)
    return index == 0 ? nil : try integer(at: index, key)
  }

  @inline(__always)
  private func integer<Value: FixedWidthInteger>(at index: Int, _ key: Key) throws -> Value {
    guard let value = frame.tape.integer(Value.self, at: index) else {
      throw frame.decoder.failure(Value.self, at: index, codingPath + [key])
    }
    return value
  }

  @inline(__always)
  private func bool(at index: Int, _ key: Key) throws -> Bool {
    guard let value = frame.tape.bool(at: index) else {
      throw frame.decoder.failure(Bool.self, at: index, codingPath + [key])
    }
    return value
  }

  @inline(__always)
  private func string(at index: Int, _ key: Key) throws -> String {
    guard let value = frame.state.pointee.tape.pointee.string(at: index) else {
      throw frame.decoder.failure(String.self, at: index, codingPath + [key])
    }
    return value
  }

  @inline(__always)
  private func double(at index: Int, _ key: Key) throws -> Double {
    guard let value = frame.tape.double(at: index) ?? frame.decoder.nonConforming(at: index) else {
      throw frame.decoder.failure(Double.self, at: index, codingPath + [key])
    }
    return value
  }

  @inline(__always)
  private func float(at index: Int, _ key: Key) throws -> Float {
    guard let value = frame.tape.float(at: index) ?? frame.decoder.nonConforming(at: index) else {
      throw frame.decoder.failure(Float.self, at: index, codingPath + [key])
    }
    return value
  }
}
