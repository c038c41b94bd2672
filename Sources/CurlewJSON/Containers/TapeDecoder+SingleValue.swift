import Foundation

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { tape.pointee[state.pointee.value].kind == Word.Kind.null }

  func decode(_: Bool.Type) throws -> Bool { try scalar() }
  func decode(_: String.Type) throws -> String { try scalar() }
  func decode(_: Double.Type) throws -> Double { try scalar() }
  func decode(_: Float.Type) throws -> Float { try scalar() }
  func decode(_: Int.Type) throws -> Int { try scalar() }
  func decode(_: Int8.Type) throws -> Int8 { try scalar() }
  func decode(_: Int16.Type) throws -> Int16 { try scalar() }
  func decode(_: Int32.Type) throws -> Int32 { try scalar() }
  func decode(_: Int64.Type) throws -> Int64 { try scalar() }
  func decode(_: Int128.Type) throws -> Int128 { try scalar() }
  func decode(_: UInt.Type) throws -> UInt { try scalar() }
  func decode(_: UInt8.Type) throws -> UInt8 { try scalar() }
  func decode(_: UInt16.Type) throws -> UInt16 { try scalar() }
  func decode(_: UInt32.Type) throws -> UInt32 { try scalar() }
  func decode(_: UInt64.Type) throws -> UInt64 { try scalar() }
  func decode(_: UInt128.Type) throws -> UInt128 { try scalar() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let mark = state.pointee.path.mark
    return try decode(type, at: state.pointee.value, state.pointee.node, since: mark)
  }

  @inline(__always)
  private func scalar<Value: Scalar>() throws -> Value {
    try scalar(Value.self, at: state.pointee.value, codingPath)
  }

  /// Decodes an infinite number or NaN from a string, according to the float strategy.
  @inline(never)
  func nonConformingFloat<Value: BinaryFloatingPoint>(at index: Int) -> Value? {
    // Foundation compares bytes, and only of strings without escapes.
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
