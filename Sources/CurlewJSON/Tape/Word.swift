/// A word of a tape: what kind of value is at an index of the text, and where.
///
/// The lowest 8 bits are the kind. A string or another number has an offset and a length in bytes above
/// it, an object or array the index after its end and the number of its members, each of 28 bits; an
/// integer has its value, of 56 bits.
struct Word {
  /// What a word stands for; from `array` on, the words of members or elements follow.
  enum Kind {
    static let null: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    /// An integer of up to 16 digits, which is in the word.
    static let integer: UInt8 = 3
    /// Any other number, or what begins as one; a second word is the nearest `Double`.
    static let number: UInt8 = 4
    /// A string that is its bytes, all of them ASCII.
    static let ascii: UInt8 = 5
    /// A string that is its bytes, if these are UTF-8.
    static let utf8: UInt8 = 6
    /// A string with escapes, or with control characters, which makes it invalid.
    static let escaped: UInt8 = 7
    static let array: UInt8 = 8
    /// An object whose keys are all plain: ASCII without escapes, shorter than 255 bytes.
    static let object: UInt8 = 9
    /// An object with a key that is not plain.
    static let oddObject: UInt8 = 10
  }

  /// The size in bytes from which a text does not fit the words.
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

  /// The index of the first byte of a string or number; the index after an object or array in the tape.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits >> 8 & 0xFFF_FFFF) }

  /// The number of bytes of a string or number, or of members of an object or array.
  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: bits >> 36) }

  @inline(__always)
  var integer: Int64 { Int64(bitPattern: bits) >> 8 }

  @inline(__always)
  var isObject: Bool { kind >= Kind.object }

  @inline(__always)
  var isString: Bool { kind >= Kind.ascii && kind <= Kind.escaped }
}

/// The word of an object's key, which its value follows.
///
/// A plain key has its length in the lowest 8 bits, 24 bits of a hash, and its offset. Another key has
/// 255 there, and above it the offset and length that a string has.
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

  /// The length and hash of a plain key: keys with other ones differ.
  @inline(__always)
  var fingerprint: UInt32 { UInt32(truncatingIfNeeded: bits) }

  @inline(__always)
  var offset: Int { isOdd ? Word(bits: bits).offset : Int(truncatingIfNeeded: bits >> 32) }

  @inline(__always)
  var length: Int { isOdd ? Word(bits: bits).length : Int(truncatingIfNeeded: bits & 0xFF) }
}
