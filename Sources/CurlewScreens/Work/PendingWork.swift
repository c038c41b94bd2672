import Synchronization

/// A count of running work that a task can wait for.
///
/// Each runner counts its writes in a `PendingWork`. Several runners may share an instance, so that
/// a server or a command can wait for all their writes, even after the runners have been
/// deallocated:
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

  /// Creates an instance without pending work.
  public init() {}

  /// The number of pieces of work that have not finished.
  package var count: Int { pending.withLock { $0 } }

  /// Returns when all the work has finished or the waiting task is cancelled.
  ///
  /// Cancelling the wait does not cancel the work.
  public func finished() async {
    await stateChanges.wait { count > 0 }
  }

  package func enter() {
    pending.withLock { $0 += 1 }
  }

  package func leave() {
    let isFinished = pending.withLock { pending in
      pending -= 1
      return pending == 0
    }
    if isFinished { stateChanges.publish().resume() }
  }
}

/// A handle to the work that an event started.
public struct SentEvent: Sendable {
  let work: PendingWork?

  /// Whether everything that ``finished()`` waits for has finished.
  public var isFinished: Bool { work.map { $0.count == 0 } ?? true }

  /// Returns when the loads and writes started by the event and by their results have finished, or
  /// have been replaced or cancelled.
  ///
  /// Streams, timers and the work that they start don't count. Suspended loads count as unfinished.
  /// It also returns when the waiting task is cancelled; that does not cancel the work.
  ///
  /// ```swift
  /// List(…).refreshable { await model.send(.refresh).finished() }
  /// ```
  public func finished() async {
    await work?.finished()
  }
}
