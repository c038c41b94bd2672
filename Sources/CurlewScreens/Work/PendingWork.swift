import Synchronization

/// Work that goes on, and that can be waited for.
///
/// A runner counts its writes in one. Runners may share one, so that a server or a command can wait
/// until the writes of all of them have finished, whether the runners still exist or not:
///
/// ```swift
/// let writes = PendingWork()
/// let runner = Runner(screen, writes: writes)
/// …
/// await writes.finished()      // before the process exits
/// ```
public final class PendingWork: Sendable {
  private let pending = Mutex(0)
  private let stateChanges = ChangeSignal()

  /// Creates it with nothing pending.
  public init() {}

  /// How many pieces of work go on.
  public var count: Int { pending.withLock { $0 } }

  /// Returns when nothing goes on any more, or when the waiting task is cancelled; ending the wait
  /// cancels no work.
  public func finished() async {
    while true {
      let seen = stateChanges.version
      guard count > 0, await stateChanges.arrive(after: seen) else { return }
    }
  }

  func enter() {
    pending.withLock { $0 += 1 }
  }

  func leave() {
    let isOver = pending.withLock { pending in
      pending -= 1
      return pending == 0
    }
    if isOver { stateChanges.publish() }
  }
}

/// An event that was sent to a screen, and the work that it started.
public struct SentEvent: Sendable {
  let work: PendingWork?

  /// Whether all has finished that ``finished()`` waits for.
  public var isFinished: Bool { work.map { $0.count == 0 } ?? true }

  /// Returns when the loads and writes that the event started, and those that followed from their
  /// results, have finished or were replaced or cancelled.
  ///
  /// Streams and timers, and what they start, don't count; loads that are suspended are still
  /// awaited. It also returns when the waiting task is cancelled, which cancels no work.
  ///
  /// ```swift
  /// List(…).refreshable { await model.send(.refresh).finished() }
  /// ```
  public func finished() async {
    await work?.finished()
  }
}
