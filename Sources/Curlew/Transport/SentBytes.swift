import Synchronization

/// The number of bytes of a body that a session has sent, and whether the body is complete.
///
/// The length of a stream may become known only at its end, before or after the session has sent the last bytes.
final class SentBytes: Sendable {
  private struct State {
    var sent: Int64 = 0
    var length: Int64?
    var isComplete = false
    // Called within the lock only.
    nonisolated(unsafe) var report: ((Int, Bool) -> Void)?
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - length: The length of the body; `nil` if it is unknown.
  ///   - report: Called with the number of bytes of each part sent, and at the end with `true`.
  init(of length: Int64?, report: sending ((Int, Bool) -> Void)?) {
    nonisolated(unsafe) let report = report
    state = Mutex(State(length: length, report: report))
  }

  /// Records sent bytes; returns whether the whole body is sent.
  func add(_ count: Int) -> Bool {
    state.withLock { state in
      state.sent += Int64(count)
      state.report?(count, false)
      return Self.complete(&state)
    }
  }

  /// Sets the length of the body, which has been read; returns whether the whole body is sent.
  func end(at length: Int64) -> Bool {
    state.withLock { state in
      state.length = length
      return Self.complete(&state)
    }
  }

  /// Resets the count, because the body is sent again.
  func restart() { state.withLock { ($0.sent, $0.isComplete) = (0, false) } }

  private static func complete(_ state: inout State) -> Bool {
    guard state.sent == state.length else { return false }
    if !state.isComplete { state.report?(0, true) }
    state.isComplete = true
    return true
  }
}
