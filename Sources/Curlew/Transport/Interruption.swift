import Synchronization

/// A transport whose transfers can be stopped from outside of the task that waits for them: it says
/// what is to be stopped with `OutgoingRequest.stops(_:)`.
///
/// Its requests need no task of their own for a limit of time to end them. A transfer that was
/// stopped, its body included, throws a `CancellationError`.
package protocol InterruptibleTransport: Transport {}

/// What can be stopped from outside.
package protocol Interruptible: AnyObject, Sendable {
  func stop()
}

/// One request's wait for another one to let it go on.
final class Turn: Interruptible {
  private enum State {
    case waiting(CheckedContinuation<Bool, Never>?)
    case over(goesOn: Bool)
  }

  private let state = Mutex(State.waiting(nil))

  /// Lets the request go on; returns whether it still waits for that.
  @discardableResult
  func go() -> Bool { end(goesOn: true) }

  /// Gives the wait up.
  package func stop() { end(goesOn: false) }

  @discardableResult
  private func end(goesOn: Bool) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        return (false, CheckedContinuation<Bool, Never>?.none)
      }
      state = .over(goesOn: goesOn)
      return (true, continuation)
    }
    continuation?.resume(returning: goesOn)
    return isFirst
  }

  /// Returns whether the request may go on; it may not when it was stopped or cancelled.
  fileprivate func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state -> Bool? in
          if case .over(let goesOn) = state { return goesOn }
          state = .waiting(continuation)
          return nil
        }
        if let goesOn { continuation.resume(returning: goesOn) }
      }
    } onCancel: {
      stop()
    }
  }
}

extension OutgoingRequest {
  /// Sets what is stopped when one of the request's limits of time passes, in place of what was set
  /// before.
  package func stops(_ transfer: any Interruptible) {
    lease?.stops(transfer)
  }

  /// Says that the transport begins to look for a connection; a transport that can tell when it has
  /// one says this before its transfer waits, and ``hasConnected()`` then.
  package func isConnecting() { lease?.isConnecting() }

  /// Says that there is a connection.
  package func hasConnected() { lease?.hasConnected() }

  /// Returns this request with the limits of time of the one that it stands for, which it has lost
  /// where a middleware made it anew.
  func kept(to original: OutgoingRequest) -> OutgoingRequest {
    guard lease == nil, let lease = original.lease else { return self }
    var copy = self
    copy.lease = lease
    return copy
  }

  /// Whether its whole time has passed.
  var hasRunOutOfTime: Bool { lease?.hasPassed == true }

  /// How much is left of the time that the request may take in all; `nil` without a limit.
  public var timeLeft: Duration? { lease?.timeLeft }

  /// Waits on the client's clock.
  ///
  /// A ``PunctualMiddleware`` waits like this, so that its requests keep their limits.
  ///
  /// - Throws: ``Client/Error/timeout(_:)`` at once when less time is left than that;
  ///   ``Client/Error/cancelled``.
  public func wait(for duration: Duration) async throws(Client.Error) {
    guard let lease else { return }
    if let left = lease.timeLeft, left < duration { throw timeout(.total) }
    do {
      try await lease.sleep(for: duration)
    } catch {
      throw .cancelled
    }
  }

  /// Waits until another request lets it go on.
  ///
  /// - Throws: ``Client/Error/cancelled``, which becomes a timeout when a limit has passed.
  func wait(for turn: Turn) async throws(Client.Error) {
    stops(turn)
    guard await turn.wait() else { throw .cancelled }
  }
}
