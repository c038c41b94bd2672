import Synchronization

/// A counter that tasks share.
final class Count: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func add(_ more: Int = 1) { number.withLock { $0 += more } }
}
