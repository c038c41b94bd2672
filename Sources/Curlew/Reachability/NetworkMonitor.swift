/// A type that tells whether the system has a network.
public protocol NetworkMonitor: Sendable {
  /// Waits until the system has a network; returns at once if it has one.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func waitForNetwork() async throws
}
