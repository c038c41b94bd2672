import Synchronization

/// A type that monitors whether the system has a network.
public protocol NetworkMonitor: Sendable {
  /// Waits until the system has a network; returns immediately if a network is available.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func waitForNetwork() async throws
}

#if canImport(Network)
  import Network
#endif

/// The system's network monitor: `NWPathMonitor` on Apple's platforms.
enum SystemNetworkMonitor {
  #if canImport(Network)
    static let shared: (any NetworkMonitor)? = PathMonitor()

    private final class PathMonitor: NetworkMonitor {
      func waitForNetwork() async throws {
        for await path in NWPathMonitor() where path.status == .satisfied { return }
        try Task.checkCancellation()
      }
    }
  #else
    static let shared: (any NetworkMonitor)? = nil
  #endif
}

/// The status of the connection to a client's server, derived from the client's requests; it sends no
/// requests of its own.
///
/// It is offline after a request that did not reach the server: no address, no route, a refused connection,
/// or a connection timeout. It is online again after the next response with any status.
public final class ConnectionStatus: Sendable {
  private struct State {
    var isOffline = false
    var followers: [Int: AsyncStream<Bool>.Continuation] = [:]
    var lastFollower = 0
  }

  private let state = Mutex(State())

  /// Creates a status, which is online until a request fails.
  public init() {}

  /// Whether the server seems to be unreachable.
  public var isOffline: Bool { state.withLock { $0.isOffline } }

  /// A stream of the current and each changed value of ``isOffline``; a slow reader receives only the
  /// latest value.
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
      notify([follower])
    }
  }

  /// Updates the status from the outcome of a request; `nil` for a response.
  func updateStatus(after failure: Client.Error?) {
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
    notify(followers)
  }

  /// Sends the status to streams, outside the lock: a stream resumes tasks.
  private func notify(_ followers: [AsyncStream<Bool>.Continuation]) {
    guard !followers.isEmpty else { return }
    var told: Bool
    repeat {
      told = isOffline
      for follower in followers { follower.yield(told) }
      // With two concurrent changes, the earlier change may be sent last.
    } while told != isOffline
  }
}
