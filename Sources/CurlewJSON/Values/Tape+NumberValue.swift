import Foundation

extension Tape {
  /// Returns the integer at an index of the tape; `nil` if it is not a number, or doesn't fit.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) -> Value? {
    let word = self[index]
    if _fastPath(word.kind == Word.Kind.integer) { return Value(exactly: word.integer) }
    return word.kind == Word.Kind.number ? Self.longInteger(type, bytes(of: word)) : nil
  }

  /// Returns an integer with too many digits for a word, or in a form such as `1.0` or `1e2`.
  @inline(never)
  private static func longInteger<Value: FixedWidthInteger>(
    _ type: Value.Type, _ bytes: UnsafeRawBufferPointer
  ) -> Value? {
    guard let number = number(bytes) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if number.isInteger, let value = Value(text) { return value }
    // As Foundation does: converts the nearest `Double`, or a `Decimal` if the `Double` is too large to be exact.
    guard let double = number.double() ?? Double(text),
      let value = Value(exactly: double)
    else { return nil }
    if double.magnitude < 0x1p53 { return value }
    return integerByDecimal(type, text)
  }

  /// Returns Foundation's result for a number beyond the exact integers of `Double`: the integer part, if all digits
  /// together fit in 64 bits.
  private static func integerByDecimal<Value: FixedWidthInteger>(
    _ type: Value.Type, _ text: String
  ) -> Value? {
    guard let decimal = Decimal(string: text) else { return nil }
    let parts = decimal.magnitude.description.split(separator: ".")
    guard let whole = parts.first.flatMap({ UInt64($0) }), UInt64(parts.joined()) != nil else {
      return nil
    }
    guard decimal.isSignMinus else { return Value(exactly: whole) }
    return Value.isSigned ? Value(exactly: whole).map { 0 - $0 } : nil
  }

  /// Returns the number at an index of the tape; `nil` if it is not a number, too large or too small.
  @inline(__always)
  func double(at index: Int) -> Double? {
    let word = self[index]
    // An integer of 16 digits is rounded once.
    if word.kind == Word.Kind.integer { return Double(word.integer) }
    guard word.kind == Word.Kind.number else { return nil }
    let value = Double(bitPattern: words[index &+ 1])
    return _fastPath(!value.isNaN) ? value : Self.rareDouble(bytes(of: word))
  }

  @inline(never)
  private static func rareDouble(_ bytes: UnsafeRawBufferPointer) -> Double? {
    // Values that are too large become infinite, values that are too small zero.
    guard let number = number(bytes), let value = Double(String(decoding: bytes, as: UTF8.self)),
      value.isFinite, value != 0 || number.digits == 0
    else { return nil }
    return value
  }

  /// Parses a number's text; returns `nil` if it is malformed.
  func number(_ word: Word) -> DecimalNumber? { Self.number(bytes(of: word)) }

  private static func number(_ bytes: UnsafeRawBufferPointer) -> DecimalNumber? {
    guard let start = bytes.baseAddress, let number = DecimalNumber(start, 0, bytes.count),
      number.end == bytes.count
    else { return nil }
    return number
  }

  /// Returns the number at an index of the tape, rounded once; `nil` if it is not a number, too large or too small.
  func float(at index: Int) -> Float? {
    let word = self[index]
    if word.kind == Word.Kind.integer { return Float(word.integer) }
    guard word.kind == Word.Kind.number, let number = number(word) else { return nil }
    // Rounding the nearest double again is wrong only if it is halfway between two floats; subnormal floats have less
    // precision.
    if let double = number.double(), double.bitPattern & 0x1FFF_FFFF != 0x1000_0000,
      double == 0 || double.magnitude >= Double(Float.leastNormalMagnitude)
    {
      let value = Float(double)
      return value.isFinite ? value : nil
    }
    guard let value = Float(text(word)), value.isFinite, value != 0 || number.digits == 0 else {
      return nil
    }
    return value
  }

  /// Returns the number at an index of the tape; `nil` if it is not a number, or doesn't fit.
  func decimal(at index: Int) -> Decimal? {
    let word = self[index]
    if word.kind == Word.Kind.integer { return Decimal(word.integer) }
    guard word.kind == Word.Kind.number, number(word) != nil else { return nil }
    return Decimal(string: text(word))
  }

  /// Returns the text of a number.
  func text(_ word: Word) -> String {
    if word.kind == Word.Kind.integer { return "\(word.integer)" }
    return String(decoding: bytes(of: word), as: UTF8.self)
  }

  @inline(__always)
  private func bytes(of word: Word) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + word.offset, count: word.length)
  }
}
