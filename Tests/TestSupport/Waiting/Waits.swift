package import Curlew
import Synchronization

/// Counts a client's requests that wait for another request: in a queue, for a shared response, or for a new token.
package final class Waits: RequestObserver {
  private let waiting = Mutex<Set<UInt64>>([])

  package init() {}

  /// The number of waiting requests.
  package var count: Int { waiting.withLock { $0.count } }

  package func observe(_ event: RequestEvent) {
    switch event.stage {
    case .coalesced, .queued, .waitingForToken, .waitingForRateLimit(nil):
      waiting.withLock { _ = $0.insert(event.call) }
    case .resumed: waiting.withLock { _ = $0.remove(event.call) }
    default: break
    }
  }
}
