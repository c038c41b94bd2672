/// A checksum of 64 bits that finds damage in stored bytes.
///
/// SQLite checks how its pages are connected, not what is in them. It is no defence against somebody who
/// changes the file on purpose. Four lanes of eight bytes keep it at the speed of memory.
enum Checksum {
  private static let prime: UInt64 = 0x9E37_79B1_85EB_CA87

  /// Returns the checksum of bytes; other seeds give other checksums.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var (a, b) = (seed &+ prime, seed ^ prime)
    var (c, d) = (seed &* prime, ~seed)
    let whole = bytes.count & ~31
    var index = 0
    while index < whole {
      a = step(a, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      b = step(b, bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self))
      c = step(c, bytes.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self))
      d = step(d, bytes.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self))
      index &+= 32
    }
    var result = step(step(step(step(UInt64(bytes.count), a), b), c), d)
    while index < bytes.count {
      result = step(result, UInt64(bytes[index]))
      index &+= 1
    }
    result ^= result >> 32
    return (result &* prime) ^ (result >> 29)
  }

  // For a given state each word leads to another state, so that one changed word is always found.
  @inline(__always)
  private static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (state ^ word.littleEndian) &* prime
    return (mixed << 31) | (mixed >> 33)
  }
}
