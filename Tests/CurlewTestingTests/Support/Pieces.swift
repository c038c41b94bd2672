import Foundation
import Synchronization

/// Collects the pieces of a body.
final class Pieces: Sendable {
  private struct State {
    var pieces: [Data] = []
    var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.pieces.count } }
  var text: String {
    state.withLock { String(decoding: $0.pieces.reduce(Data(), +), as: UTF8.self) }
  }

  func add(_ piece: Data) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.pieces.append(piece)
      guard let waiter = state.waiter, waiter.count <= state.pieces.count else { return nil }
      state.waiter = nil
      return waiter.continuation
    }?.resume()
  }

  /// Waits until so many have come.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.pieces.count >= count { return true }
        state.waiter = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
