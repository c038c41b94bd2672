import Foundation
import Synchronization

/// SplitMix64: small, fast and the same everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// One generator for tasks that run at the same time.
final class SharedGenerator: Sendable {
  private let generator: Mutex<SplitMix>

  init(_ seed: UInt64) {
    generator = Mutex(SplitMix(state: seed))
  }

  func int(in range: Range<Int>) -> Int {
    generator.withLock { Int.random(in: range, using: &$0) }
  }
}

/// Counts, and keeps the highest count that there was.
final class Level: Sendable {
  private let state = Mutex((now: 0, highest: 0))

  var now: Int { state.withLock { $0.now } }
  var highest: Int { state.withLock { $0.highest } }

  func rise() {
    state.withLock { $0 = ($0.now + 1, max($0.highest, $0.now + 1)) }
  }

  func fall() {
    state.withLock { $0.now -= 1 }
  }
}

/// What comes, in its order.
final class Events<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  var entries: [Element] { state.withLock { $0 } }

  func note(_ entry: Element) {
    state.withLock { $0.append(entry) }
  }
}
