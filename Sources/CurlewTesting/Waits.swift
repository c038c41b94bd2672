import Curlew
import Synchronization

/// Counts the requests of a client that wait for another request: in a queue, for a shared response
/// or for a new token.
package final class Waits: WaitObserver {
  private let waiting = Mutex(0)

  package init() {}

  /// The number of waiting requests.
  package var count: Int { waiting.withLock { $0 } }

  package func begin() { waiting.withLock { $0 += 1 } }
  package func end() { waiting.withLock { $0 -= 1 } }
}
