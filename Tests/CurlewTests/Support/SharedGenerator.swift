import CurlewTesting
import Foundation
import Synchronization

/// One generator for tasks that run at the same time.
final class SharedGenerator: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(_ seed: UInt64) {
    generator = Mutex(SeededGenerator(seed: seed))
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
