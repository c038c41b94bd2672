/// A random number generator (SplitMix64) whose numbers are the same on every platform and in every
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

  /// Returns a number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number from 0 up to, but not including, the bound, which is positive.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns true once in so many times on average.
  mutating func chance(oneIn times: Int) -> Bool { below(times) == 0 }

  /// Returns one of the elements, of which there is at least one.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns different elements in a random order.
  mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
    var rest = elements
    return (0..<min(count, rest.count)).map { _ in rest.remove(at: below(rest.count)) }
  }
}

/// Returns a hash (FNV-1a, 64 bits) that is the same in every process.
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
