/// A value without nested values, for which containers have dedicated methods.
protocol Scalar {
  /// Reads the value at an index of a tape; returns `nil` if it doesn't have this type.
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> Self?

  /// Reads a value in an alternative representation; returns `nil` if there is none.
  static func readOther(_ decoder: TapeDecoder, _ index: Int) -> Self?

  /// Creates the error for a value that can't be read.
  static func failure(
    _ decoder: TapeDecoder, _ index: Int, _ path: [any CodingKey]
  ) -> DecodingError
}

extension Scalar {
  static func readOther(_ decoder: TapeDecoder, _ index: Int) -> Self? { nil }
}

extension Scalar where Self: Numeric {
  static func failure(
    _ decoder: TapeDecoder, _ index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    decoder.numberFailure(Self.self, at: index, path)
  }
}

extension Scalar where Self: FixedWidthInteger {
  @inline(__always)
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> Self? {
    tape.pointee.integer(Self.self, at: index)
  }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}

extension Scalar where Self: BinaryFloatingPoint {
  static func readOther(_ decoder: TapeDecoder, _ index: Int) -> Self? {
    decoder.nonConformingFloat(at: index)
  }
}

extension Double: Scalar {
  @inline(__always)
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> Double? {
    tape.pointee.double(at: index)
  }
}

extension Float: Scalar {
  @inline(__always)
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> Float? {
    tape.pointee.float(at: index)
  }
}

extension Bool: Scalar {
  @inline(__always)
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> Bool? {
    let kind = tape.pointee[index].kind
    return kind == Word.Kind.yes ? true : kind == Word.Kind.no ? false : nil
  }

  static func failure(
    _ decoder: TapeDecoder, _ index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    decoder.mismatch(Bool.self, at: index, path)
  }
}

extension String: Scalar {
  @inline(__always)
  static func read(_ tape: UnsafeMutablePointer<Tape>, _ index: Int) -> String? {
    tape.pointee.string(at: index)
  }

  static func failure(
    _ decoder: TapeDecoder, _ index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    decoder.stringFailure(at: index, path)
  }
}

extension TapeDecoder {
  /// Reads the value at an index of the tape.
  ///
  /// - Parameter path: The value's coding path.
  @inline(__always)
  func scalar<Value: Scalar>(
    _ type: Value.Type, at index: Int, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Value {
    if let value = type.read(tape, index) ?? type.readOther(self, index) { return value }
    throw type.failure(self, index, path())
  }
}
