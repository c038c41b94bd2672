import Dispatch
import Foundation

/// A task that waits, and whose own lock can be held as it is while the task is cancelled.
///
/// Resuming such a task has to wait. Whoever does that with a lock keeps everybody else from it: a
/// cancellation handler that needs the lock never returns.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
package struct LockedTask: Sendable {
  private let task: Task<Void, Never>
  private let entered = DispatchSemaphore(value: 0)
  private let leaves = DispatchSemaphore(value: 0)

  /// Starts a task that waits.
  package init(_ wait: @escaping @Sendable () async -> Void) {
    task = Task.detached(priority: .low) { [entered, leaves] in
      // Other handlers than those of a cancellation, which would end the wait before this one.
      await withTaskPriorityEscalationHandler {
        await wait()
      } onPriorityEscalated: { _, _ in
        entered.signal()
        leaves.wait()
      }
    }
  }

  /// Has the task resumed while its lock is held; returns whether something else can be used
  /// meanwhile.
  package func isFree(
    _ use: @escaping @Sendable () -> Void, whileResumedBy resume: @escaping @Sendable () -> Void
  ) async -> Bool {
    await withCheckedContinuation { result in
      // On threads of their own, because they block.
      Thread.detachNewThread { [task, entered, leaves] in
        Thread.detachNewThread { task.escalatePriority(to: .high) }
        entered.wait()
        Thread.detachNewThread { resume() }
        // Nobody can see that a thread waits for a task's lock.
        Thread.sleep(forTimeInterval: 0.05)
        let used = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          use()
          used.signal()
        }
        let isFree = used.wait(timeout: .now() + 5) == .success
        leaves.signal()
        result.resume(returning: isFree)
      }
    }
  }

  /// Waits for the task's end.
  package func end() async {
    task.cancel()
    await task.value
  }
}
