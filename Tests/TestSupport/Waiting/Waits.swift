// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
import Synchronization

/// Counts a client's requests that wait for another request: in a queue, for a shared response, or for a new token.
public final class Waits: RequestObserver {
  private let waiting = Mutex<Set<UInt64>>([])

  public init() {}

  /// The number of waiting requests.
  public var count: Int { waiting.withLock { $0.count } }

  public func observe(_ event: RequestEvent) {
    switch event.stage {
    case .coalesced, .queued, .waitingForToken, .waitingForRateLimit(nil):
      waiting.withLock { _ = $0.insert(event.call) }
    case .resumed: waiting.withLock { _ = $0.remove(event.call) }
    default: break
    }
  }
}
