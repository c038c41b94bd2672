/// A word of a tape: the kind and position of a value in the text.
///
/// The lowest 8 bits are the kind. A string or other number has its offset and length in bytes, an object or array the
/// index after its end and its member count, each in 28 bits. An integer has its value in 56 bits.
struct Word {
  /// The kind of a value; from `array` on, the words of members or elements follow.
  enum Kind {
    static let null: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    /// An integer of up to 16 digits, stored in the word.
    static let integer: UInt8 = 3
    /// Any other number, possibly malformed; a second word has the nearest `Double`.
    static let number: UInt8 = 4
    /// An unescaped ASCII string.
    static let ascii: UInt8 = 5
    /// An unescaped string, which must still be checked as UTF-8.
    static let utf8: UInt8 = 6
    /// A string with escapes, or with control characters, which make it invalid.
    static let escaped: UInt8 = 7
    static let array: UInt8 = 8
    /// An object with only plain keys: ASCII without escapes, shorter than 255 bytes.
    static let object: UInt8 = 9
    /// An object with a key that is not plain.
    static let objectWithEscapedKeys: UInt8 = 10
  }

  /// The size in bytes from which a text exceeds the words' offsets.
  static let sizeLimit = 1 << 28

  let bits: UInt64

  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(_ kind: UInt8) { bits = UInt64(kind) }

  @inline(__always)
  init(_ kind: UInt8, offset: Int, length: Int) {
    bits =
      UInt64(kind) | UInt64(truncatingIfNeeded: offset) << 8
      | UInt64(truncatingIfNeeded: length) << 36
  }

  @inline(__always)
  init(integer: Int64) {
    bits = UInt64(Kind.integer) | UInt64(truncatingIfNeeded: integer) << 8
  }

  @inline(__always)
  var kind: UInt8 { UInt8(truncatingIfNeeded: bits) }

  /// The offset of a string or number in the text; for an object or array, the index after it in the tape.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits >> 8 & 0xFFF_FFFF) }

  /// The byte count of a string or number, or the member count of an object or array.
  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: bits >> 36) }

  @inline(__always)
  var integer: Int64 { Int64(bitPattern: bits) >> 8 }

  @inline(__always)
  var isObject: Bool { kind >= Kind.object }

  @inline(__always)
  var isString: Bool { kind >= Kind.ascii && kind <= Kind.escaped }
}

/// The word of an object's key, followed by its value.
///
/// A plain key has its length in the lowest 8 bits, a 24-bit hash, and its offset. Other keys have 255 in the lowest 8
/// bits, followed by offset and length as in a string's word.
struct KeyWord {
  static let odd: UInt8 = 255

  let bits: UInt64

  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(fingerprint: UInt32, offset: Int) {
    bits = UInt64(fingerprint) | UInt64(truncatingIfNeeded: offset) << 32
  }

  @inline(__always)
  init(oddAt offset: Int, length: Int) {
    bits = Word(Self.odd, offset: offset, length: length).bits
  }

  @inline(__always)
  var isOdd: Bool { UInt8(truncatingIfNeeded: bits) == Self.odd }

  /// The length and hash of a plain key: keys with different fingerprints differ.
  @inline(__always)
  var fingerprint: UInt32 { UInt32(truncatingIfNeeded: bits) }

  @inline(__always)
  var offset: Int { isOdd ? Word(bits: bits).offset : Int(truncatingIfNeeded: bits >> 32) }

  @inline(__always)
  var length: Int { isOdd ? Word(bits: bits).length : Int(truncatingIfNeeded: bits & 0xFF) }
}
