/// A transport whose transfers can be stopped from outside of the task that waits for them.
///
/// Its requests need no task of their own for a limit of time to end them.
package protocol InterruptibleTransport: Transport {
  /// Sends a request and says what stops it.
  ///
  /// A transfer that was stopped, its body included, throws a `CancellationError`.
  func send(
    _ request: OutgoingRequest, interruption: Interruption?
  ) async throws -> IncomingResponse
}

/// What can be stopped from outside.
package protocol Interruptible: AnyObject, Sendable {
  func stop()
}

/// Stops what a request waits for when one of its limits of time passes.
package struct Interruption: Sendable {
  private let lease: Watchdog.Lease

  init(_ lease: Watchdog.Lease) {
    self.lease = lease
  }

  /// Sets what is to be stopped in place of what was set before.
  package func stops(_ transfer: some Interruptible) {
    lease.stops(transfer)
  }
}

/// A middleware that ends when `next` does: it waits for nothing else.
///
/// With any other one a request gets a task of its own, which a limit of time can cancel.
package protocol PunctualMiddleware: Middleware {}
