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
