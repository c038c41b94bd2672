/// A random number generator (SplitMix64) with the same numbers on every platform and in every
/// version of Swift.
struct SeededGenerator: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in the range from 0 to 1, excluding 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number in the range from 0 to the bound, excluding the bound, which must be
  /// positive.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns true with a probability of 1 in `times`.
  mutating func chance(oneIn times: Int) -> Bool { below(times) == 0 }

  /// Returns a random element of a nonempty array.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns distinct elements in random order.
  mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
    var rest = elements
    return (0..<min(count, rest.count)).map { _ in rest.remove(at: below(rest.count)) }
  }
}

/// Returns a hash (FNV-1a, 64 bits) that is the same in every process.
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
