import Synchronization

/// A clock that stands still until a test moves it.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var next = 0
    var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
  }

  /// Yields a deadline whenever somebody begins to sleep.
  let naps: AsyncStream<Instant>
  private let began: AsyncStream<Instant>.Continuation
  private let state = Mutex(State())

  init() { (naps, began) = AsyncStream.makeStream() }

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wake in
        let isCancelled = Task.isCancelled
        state.withLock { $0.sleepers[id] = isCancelled ? nil : (deadline, wake) }
        if isCancelled { wake.resume(throwing: CancellationError()) }
        began.yield(deadline)
        // A cancellation between the check and the registration found nobody to wake.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
    sleeper?.wake.resume(throwing: CancellationError())
  }
}
