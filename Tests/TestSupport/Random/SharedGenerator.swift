import Synchronization

/// A random generator shared by concurrent tasks.
package final class SharedGenerator: Sendable {
  private let generator: Mutex<SeededGenerator>

  package init(_ seed: UInt64) {
    generator = Mutex(SeededGenerator(seed: seed))
  }

  package func int(in range: Range<Int>) -> Int {
    generator.withLock { Int.random(in: range, using: &$0) }
  }
}

/// A counter that also records its highest value.
package final class Level: Sendable {
  private let state = Mutex((now: 0, highest: 0))

  package init() {}

  package var now: Int { state.withLock { $0.now } }
  package var highest: Int { state.withLock { $0.highest } }

  package func rise() {
    state.withLock { $0 = ($0.now + 1, max($0.highest, $0.now + 1)) }
  }

  package func fall() {
    state.withLock { $0.now -= 1 }
  }
}

/// A list of recorded events, in order.
package final class Events<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  package init() {}

  package var entries: [Element] { state.withLock { $0 } }

  package func note(_ entry: Element) {
    state.withLock { $0.append(entry) }
  }
}
