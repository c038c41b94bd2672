import Synchronization

/// Counts a runner's states and wakes the consumers that wait for the next one.
///
/// It knows nothing of the states themselves, and is not generic, to be small: a consumer that
/// waits here is most of what an idle screen costs.
final class ChangeSignal: Sendable {
  private struct State {
    /// How many states there were; a consumer that has seen this many has seen the newest.
    var version: UInt64 = 1
    /// No more states will come.
    var isOver = false
    var lastID: UInt64 = 0
    var consumers: [(id: UInt64, continuation: UnsafeContinuation<Void, Never>)] = []

    mutating func wakeConsumers() {
      for consumer in consumers { consumer.continuation.resume() }
      consumers = []
    }
  }

  private let state = Mutex(State())

  /// How many states there were.
  var version: UInt64 { state.withLock { $0.version } }

  /// Says that there is a new state.
  func publish() {
    state.withLock { state in
      state.version += 1
      state.wakeConsumers()
    }
  }

  /// Says that there will be no new state.
  func end() {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      state.wakeConsumers()
    }
  }

  /// Waits for a state newer than those seen; returns whether there is one.
  ///
  /// There will be none when the runner has ended or the task is cancelled.
  func arrive(after seen: UInt64) async -> Bool {
    while !Task.isCancelled {
      let (isNews, isOver) = state.withLock { ($0.version > seen, $0.isOver) }
      if isNews { return true }
      if isOver { return false }
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { wait(id, $0, after: seen) }
      } onCancel: {
        stopWaiting(id)
      }
    }
    return false
  }

  /// Lets a consumer wait, unless there is news or it is cancelled already.
  private func wait(
    _ id: UInt64, _ continuation: UnsafeContinuation<Void, Never>, after seen: UInt64
  ) {
    state.withLock { state in
      if state.version > seen || state.isOver || Task.isCancelled {
        continuation.resume()
      } else {
        state.consumers.append((id, continuation))
      }
    }
  }

  private func stopWaiting(_ id: UInt64) {
    state.withLock { state in
      guard let index = state.consumers.firstIndex(where: { $0.id == id }) else { return }
      state.consumers.remove(at: index).continuation.resume()
    }
  }
}
