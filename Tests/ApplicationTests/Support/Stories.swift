import Foundation
import Testing

/// SplitMix64: small, fast and the same everywhere.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Whether something happens that happens once in so many times.
  mutating func isOnce(in times: Int) -> Bool { pick(1...times) == 1 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[pick(0...elements.count - 1)]
  }
}

/// Tells random stories from a seed, which is printed so that a failure can be told again; records
/// the first problem.
func tellStories(_ name: String, count: Int = 1_000, of story: (inout Generator) -> String?) {
  let seed = ProcessInfo.processInfo.environment["CURLEW_SEED"].flatMap(UInt64.init) ?? 20_261_121
  print("\(count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  for run in 0..<count {
    var generator = Generator(state: seed &+ UInt64(run))
    if let problem = story(&generator) {
      Testing.Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}
