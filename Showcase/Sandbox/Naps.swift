import Synchronization

/// The requests that wait out their latency; ending the naps answers them at once.
final class Naps: Sendable {
  private struct State {
    var isOver = false
    var next = 0
    var running: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  func sleep(for duration: Duration, on clock: any Clock<Duration>) async {
    let nap = state.withLock { state -> (id: Int, task: Task<Void, Never>)? in
      if state.isOver { return nil }
      // Sleeps on the given clock; a task of its own, so that `end` can cut the nap short
      // without cancelling the answer.
      let task = Task { _ = try? await clock.sleep(for: duration, tolerance: nil) }
      state.next += 1
      state.running[state.next] = task
      return (state.next, task)
    }
    guard let nap else { return }
    await withTaskCancellationHandler {
      await nap.task.value
    } onCancel: {
      nap.task.cancel()
    }
    state.withLock { $0.running[nap.id] = nil }
  }

  func end() {
    let tasks = state.withLock { state in
      state.isOver = true
      return Array(state.running.values)
    }
    for task in tasks { task.cancel() }
  }
}
