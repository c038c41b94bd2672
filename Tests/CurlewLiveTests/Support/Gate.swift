import Synchronization

/// Holds up whoever passes until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        defer { state.watchers = [] }
        return (state.isOpen, state.watchers)
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until somebody stands before the gate.
  func waitForArrival() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.waiting.isEmpty { state.watchers.append(continuation) }
        return !state.waiting.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets everybody pass from now on.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
