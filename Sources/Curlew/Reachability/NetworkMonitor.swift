/// A type that tells whether the system has a network.
public protocol NetworkMonitor: Sendable {
  /// Waits until the system has a network; returns at once if it has one.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func waitForNetwork() async throws
}

extension OutgoingRequest {
  /// Waits until the system has a network, where that is known; for as long as the call has time.
  func waitForNetwork() async throws(Client.Error) {
    guard let networkMonitor else { return }
    let task = await StoppableTask.start { () async -> Bool in
      (try? await networkMonitor.waitForNetwork()) != nil
    }
    call?.stops(task)
    defer { withExtendedLifetime(task) {} }
    // The call's own time limit is told by its deadline.
    guard await task.value else { throw .cancelled }
  }
}
