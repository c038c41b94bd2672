/// A 64-bit checksum that detects damage of stored bytes.
///
/// SQLite checks the structure of its pages, but not their content. The checksum is no protection against deliberate
/// changes. Four lanes of eight bytes keep up with the speed of memory.
enum Checksum {
  private static let prime: UInt64 = 0x9E37_79B1_85EB_CA87

  /// Returns the checksum of bytes, which depends on the seed.
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

  // For a given state, different words lead to different states, so a single changed word is always detected.
  @inline(__always)
  private static func step(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (state ^ word.littleEndian) &* prime
    return (mixed << 31) | (mixed >> 33)
  }
}
