import Synchronization

/// What a client's own requests tell of the connection to its server: nothing is sent to find out.
///
/// It seems to be offline after a request that did not reach the server: no address, no route, a refused
/// connection, or none in time. It is online again with the next response, of whatever status.
public final class ConnectionStatus: Sendable {
  private struct State {
    var isOffline = false
    var followers: [Int: AsyncStream<Bool>.Continuation] = [:]
    var lastFollower = 0
  }

  private let state = Mutex(State())

  /// Creates a status: online until a request fails.
  public init() {}

  /// Whether the server seems to be out of reach.
  public var isOffline: Bool { state.withLock { $0.isOffline } }

  /// Whether the server seems to be out of reach, now and at each change; a slow reader gets the newest.
  public var changes: AsyncStream<Bool> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { follower in
      let id = state.withLock { state in
        state.lastFollower += 1
        state.followers[state.lastFollower] = follower
        return state.lastFollower
      }
      follower.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.followers.removeValue(forKey: id) }
      }
      tell([follower])
    }
  }

  /// Learns from the outcome of a request; `nil` for a response.
  func learn(from failure: Client.Error?) {
    let isOffline: Bool
    switch failure {
    case nil: isOffline = false
    case .transport(let failure)
    where [.nameNotResolved, .unreachable, .refused].contains(failure.kind):
      isOffline = true
    case .timeout(let failure) where failure.limit == .connect: isOffline = true
    default: return
    }
    let followers = state.withLock { state -> [AsyncStream<Bool>.Continuation] in
      guard state.isOffline != isOffline else { return [] }
      state.isOffline = isOffline
      return Array(state.followers.values)
    }
    tell(followers)
  }

  /// Tells followers how it is, outside the lock: they resume tasks.
  private func tell(_ followers: [AsyncStream<Bool>.Continuation]) {
    guard !followers.isEmpty else { return }
    var told: Bool
    repeat {
      told = isOffline
      for follower in followers { follower.yield(told) }
      // Of two changes at the same time the earlier one may be told last.
    } while told != isOffline
  }
}
