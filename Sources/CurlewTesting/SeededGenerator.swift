/// Random numbers that come again with their seed (SplitMix64), the same on every platform.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// let delay = Int.random(in: 0..<100, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the generator of a seed's numbers.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number of a range.
  public mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns one of some elements.
  ///
  /// - Precondition: There are some.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[pick(0...elements.count - 1)]
  }

  /// Returns whether something happens that happens once in so many times.
  public mutating func isOnce(in times: Int) -> Bool { pick(1...times) == 1 }
}
