import Curlew
import Foundation
import GRDB
import Synchronization

/// The transactions of a database that wait for their turn, and the calls that wait for them.
///
/// While another connection is writing, which may take any time, no call waits: its transaction goes on, and fails after
/// a tenth of a second.
final class WriteQueue: Sendable {
  private struct State {
    var waiters: [ObjectIdentifier: Waiter<Bool>] = [:]
    /// The number of transactions that failed because another connection was writing.
    var failures = 0
  }

  private let state = Mutex(State())

  /// Handles SQLite's tries to begin a transaction while another connection is writing; returns whether to try again.
  func isBusy(_ tries: Int) -> Bool {
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(with: .success(true)) }
    guard tries < 20 else { return false }
    usleep(5_000)
    return true
  }

  /// Calls a function in a transaction, after the earlier transactions.
  ///
  /// - Parameters:
  ///   - waiter: Resumed with `true` if another connection is writing.
  ///   - completion: Called after the transaction.
  func write(
    in pool: DatabasePool, _ waiter: Waiter<Bool>? = nil,
    _ body: @escaping @Sendable (Database) throws -> Void,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }
  ) {
    let failures = state.withLock { state in
      if let waiter { state.waiters[ObjectIdentifier(waiter)] = waiter }
      return state.failures
    }
    pool.asyncWriteWithoutTransaction { [self] db in
      let result = Result {
        // A queue of transactions waits once.
        guard state.withLock({ $0.failures == failures }) else { throw FileError.transient }
        try db.inTransaction(.immediate) {
          try body(db)
          return .commit
        }
      }
      let isBusy = (result.failure as? DatabaseError)?.resultCode == .SQLITE_BUSY
      state.withLock { state in
        if isBusy { state.failures += 1 }
        if let waiter { state.waiters[ObjectIdentifier(waiter)] = nil }
      }
      completion(result)
    }
  }
}

extension Result {
  /// The error of a failure.
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
