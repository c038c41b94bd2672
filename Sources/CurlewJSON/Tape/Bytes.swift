/// Eight bytes of a text in a word, the first byte lowest.
enum Eight {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Loads eight bytes from an index, padded with zeros after the end of the text.
  @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, _ index: Int, _ end: Int) -> UInt64 {
    if _fastPath(index &+ 8 <= end) {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    return loadTail(bytes, index, end)
  }

  @inline(never)
  private static func loadTail(_ bytes: UnsafeRawPointer, _ index: Int, _ end: Int) -> UInt64 {
    var word: UInt64 = 0
    var shift: UInt64 = 0
    var next = index
    while next < end {
      word |= UInt64(bytes.load(fromByteOffset: next, as: UInt8.self)) << shift
      shift += 8
      next += 1
    }
    return word
  }

  /// Returns a word whose lowest high bit marks the first byte that ends a plain part of a string: a quotation mark, a
  /// backslash or a control character; 0 if there is none.
  ///
  /// Higher bits may be wrong, because of borrows in the subtractions.
  @inline(__always)
  static func specials(_ word: UInt64) -> UInt64 {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- 0x2020_2020_2020_2020) & ~word)
    return found & highBits
  }

  /// Returns the index of the byte with the lowest set high bit.
  @inline(__always)
  static func first(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }

  /// Returns the first bytes of a word, fewer than 8, padded with zeros.
  @inline(__always)
  static func prefix(_ word: UInt64, _ count: Int) -> UInt64 {
    word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }
}

extension Eight {
  /// Returns the number of leading digits.
  @inline(__always)
  static func digitCount(_ word: UInt64) -> Int {
    // After removing the bits of "0", a digit is at most 9. For other bytes, adding 0x76 sets the high bit.
    let digits = word ^ 0x3030_3030_3030_3030
    let others = (digits | ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676)) & highBits
    return others == 0 ? 8 : first(others)
  }

  /// Returns the number formed by the first bytes, which must be digits.
  @inline(__always)
  static func number(_ word: UInt64, _ count: Int) -> UInt64 {
    guard count > 0 else { return 0 }
    // Shifted, so that the digits have leading zeros.
    let digits = (word &- 0x3030_3030_3030_3030) &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)
    // Combines neighbors: first to pairs, then all pairs.
    let pairs = digits &* 10 &+ digits >> 8
    let low = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 << 32)
    let high = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 << 32)
    return (low &+ high) >> 32
  }
}

/// Sixteen bytes of a text, which halve the steps for long strings.
struct Sixteen {
  /// The bytes in two words, the first byte lowest.
  let bytes: SIMD2<UInt64>
  /// 255 for each matching byte, and 0 for the others.
  private let found: SIMD2<UInt64>

  /// Finds bytes that end a plain part of a string: quotation marks, backslashes and control characters.
  @inline(__always)
  init(specialsIn bytes: UnsafeRawPointer, _ index: Int) {
    let vector = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    let found = Self.quotesAndBackslashes(vector) .| (vector .< SIMD16<UInt8>(repeating: 0x20))
    self.init(vector, found)
  }

  /// Finds quotation marks and backslashes.
  @inline(__always)
  init(quotesAndBackslashesIn bytes: UnsafeRawPointer, _ index: Int) {
    let vector = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    self.init(vector, Self.quotesAndBackslashes(vector))
  }

  @inline(__always)
  private init(_ vector: SIMD16<UInt8>, _ found: SIMDMask<SIMD16<Int8>>) {
    // Vectors are frozen types, compiled into the app. Words have the machine's byte order, which is little-endian on
    // all Swift platforms.
    bytes = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
    self.found = unsafeBitCast(
      SIMD16<UInt8>.zero.replacing(with: 255, where: found), to: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private static func quotesAndBackslashes(
    _ vector: SIMD16<UInt8>
  ) -> SIMDMask<SIMD16<Int8>> {
    (vector .== SIMD16<UInt8>(repeating: 0x22)) .| (vector .== SIMD16<UInt8>(repeating: 0x5C))
  }

  /// The number of bytes before the first match; 16 without a match.
  @inline(__always)
  var count: Int {
    if found[0] != 0 { return Eight.first(found[0]) }
    return found[1] != 0 ? 8 &+ Eight.first(found[1]) : 16
  }

  /// The bytes before the first match, merged: a high bit means that they are not all ASCII.
  @inline(__always)
  var seen: UInt64 {
    if found[0] != 0 { return Eight.prefix(bytes[0], Eight.first(found[0])) }
    if found[1] != 0 { return bytes[0] | Eight.prefix(bytes[1], Eight.first(found[1])) }
    return bytes[0] | bytes[1]
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { load(fromByteOffset: index, as: UInt8.self) }

  /// Returns whether the bytes at two addresses are equal; faster than `memcmp` for short texts.
  @inline(__always)
  func hasBytes(of other: UnsafeRawPointer, count: Int) -> Bool {
    if count >= 8 {
      var index = 0
      while index &+ 8 <= count {
        if loadUnaligned(fromByteOffset: index, as: UInt64.self)
          != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
          return false
        }
        index &+= 8
      }
      return loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return loadUnaligned(as: UInt32.self) == other.loadUnaligned(as: UInt32.self)
        && loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
          == other.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    }
    var index = 0
    while index < count {
      if byte(index) != other.byte(index) { return false }
      index &+= 1
    }
    return true
  }
}

/// The hash of a plain key, which together with the length distinguishes most keys.
enum KeyFingerprint {
  /// The initial hash: random in each process, so that attackers can't construct collisions.
  ///
  /// The fingerprint of an empty key is not 0.
  static let seed: UInt64 = {
    var seed: UInt64
    repeat { seed = .random(in: .min ... .max) } while make(mix(seed, 0), length: 0) == 0
    return seed
  }()

  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }

  @inline(__always)
  static func make(_ hash: UInt64, length: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash) << 8 | UInt32(truncatingIfNeeded: length)
  }

  /// Returns the scanner's fingerprint for a key with these bytes.
  static func make(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = bytes.baseAddress else { return make(mix(seed, 0), length: 0) }
    var hash = seed
    var index = 0
    while index + 8 <= bytes.count {
      hash = mix(hash, Eight.load(start, index, bytes.count))
      index += 8
    }
    return make(mix(hash, Eight.load(start, index, bytes.count)), length: bytes.count)
  }
}
