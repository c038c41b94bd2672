// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

/// A random generator shared by concurrent tasks.
public final class SharedGenerator: Sendable {
  private let generator: Mutex<SeededGenerator>

  public init(_ seed: UInt64) {
    generator = Mutex(SeededGenerator(seed: seed))
  }

  public func int(in range: Range<Int>) -> Int {
    generator.withLock { Int.random(in: range, using: &$0) }
  }
}

/// A counter that also records its highest value.
public final class Level: Sendable {
  private let state = Mutex((now: 0, highest: 0))

  public init() {}

  public var now: Int { state.withLock { $0.now } }
  public var highest: Int { state.withLock { $0.highest } }

  public func rise() {
    state.withLock { $0 = ($0.now + 1, max($0.highest, $0.now + 1)) }
  }

  public func fall() {
    state.withLock { $0.now -= 1 }
  }
}

/// A list of recorded events, in order.
public final class Events<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  public init() {}

  public var entries: [Element] { state.withLock { $0 } }

  public func note(_ entry: Element) {
    state.withLock { $0.append(entry) }
  }
}
