/// A type that monitors whether the system has a network.
public protocol NetworkMonitor: Sendable {
  /// Waits until the system has a network; returns immediately if a network is available.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func waitForNetwork() async throws
}
