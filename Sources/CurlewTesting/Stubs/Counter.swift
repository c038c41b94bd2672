import Synchronization

/// A counter that tasks can wait for.
package final class Counter: Sendable {
  private struct Waiter {
    let goal: Int
    let id: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var count = 0
    var nextID = 0
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  package func increment(by difference: Int = 1) {
    let reached = state.withLock { state in
      state.count += difference
      let reached = state.waiters.filter { $0.goal <= state.count }
      state.waiters.removeAll { $0.goal <= state.count }
      return reached
    }
    for waiter in reached { waiter.continuation.resume() }
  }

  /// Waits until the count reaches a goal or the task is cancelled.
  package func wait(for goal: Int) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReached = state.withLock { state in
          // A cancellation before this point found no waiter to resume.
          if state.count >= goal || Task.isCancelled { return true }
          state.waiters.append(Waiter(goal: goal, id: id, continuation: continuation))
          return false
        }
        if isReached { continuation.resume() }
      }
    } onCancel: {
      state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }?.continuation.resume()
    }
  }
}
