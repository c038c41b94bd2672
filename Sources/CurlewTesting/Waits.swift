import Curlew
import Synchronization

/// Counts the requests of a client that wait for another one: for their turn, for the response that they
/// share, for a token.
package final class Waits: WaitObserver {
  private let waiting = Mutex(0)

  package init() {}

  /// How many wait at the moment.
  package var count: Int { waiting.withLock { $0 } }

  package func begin() { waiting.withLock { $0 += 1 } }
  package func end() { waiting.withLock { $0 -= 1 } }
}
