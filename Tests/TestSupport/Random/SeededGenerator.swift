/// A generator of random numbers determined by its seed, the same on every platform (SplitMix64).
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// let delay = Int.random(in: 0..<100, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random number in a range.
  public mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns a random element of an array.
  ///
  /// - Precondition: The array is not empty.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[pick(0...elements.count - 1)]
  }

  /// Returns `true` with the probability `1 / times`.
  public mutating func chance(oneIn times: Int) -> Bool { pick(1...times) == 1 }
}
