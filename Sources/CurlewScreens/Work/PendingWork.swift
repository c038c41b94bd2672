import Synchronization

/// A count of running work that a task can wait for.
///
/// ``Runner/send(_:)`` returns the work that an event started: the loads and writes of the event and of their results,
/// until they have finished, or have been replaced or cancelled. Streams, timers and the work that they start don't
/// count. Suspended loads count as unfinished.
///
/// ```swift
/// List(…).refreshable { await model.send(.refresh).finished() }
/// ```
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

  /// The result of an event that started no work.
  static let none = PendingWork()

  /// Whether all the work has finished.
  package var isFinished: Bool { count == 0 }

  /// The number of pieces of work that have not finished.
  package var count: Int { pending.withLock { $0 } }

  /// Returns when all the work has finished or the waiting task is cancelled.
  ///
  /// Cancelling the wait does not cancel the work.
  public func finished() async {
    await stateChanges.wait { count > 0 }
  }

  package func begin() {
    pending.withLock { $0 += 1 }
  }

  package func end() {
    let isFinished = pending.withLock { pending in
      pending -= 1
      return pending == 0
    }
    if isFinished { stateChanges.publish().resume() }
  }
}
