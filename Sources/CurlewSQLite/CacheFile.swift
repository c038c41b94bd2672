import Curlew
import Dispatch
import Foundation
import GRDB
import Synchronization

/// A cache's file, opened on demand and replaced if damaged.
final class CacheFile: Sendable {
  private struct State {
    var database: CacheDatabase?
    /// Whether the file must be deleted before it is opened.
    var mustDelete = false
    /// The last failure to open the file, and the time at which opening is retried.
    var failure: FileError?
    var nextTry = Date.distantPast
    var reported: Set<SQLiteCacheFailure.Kind> = []
    var purges = 0
    /// The changes that the file may not have yet, with their numbers.
    var changes: [(number: Int, change: CacheChange)] = []
    var lastNumber = 0
    /// Whether changes wait for the next use, because another process was writing.
    var mustRetry = false
  }

  /// The number of waiting changes above which the file is deleted instead.
  private static let maximumChanges = 1_000

  private let files: CacheFiles
  private let now: @Sendable () -> Date
  private let report: @Sendable (SQLiteCacheFailure) -> Void
  private let state = Mutex(State())
  // Opening and deleting may wait for other processes, and must not block the few threads of Swift's pool.
  private let queue = DispatchQueue(label: "Curlew's cache")

  init(
    _ url: URL, now: @escaping @Sendable () -> Date,
    report: @escaping @Sendable (SQLiteCacheFailure) -> Void
  ) {
    files = CacheFiles(url)
    (self.now, self.report) = (now, report)
  }

  /// The number of times that all entries, or an account's entries, were removed.
  var purges: Int { state.withLock { $0.purges } }

  /// The changes that the file may not have yet; to be read before the entries to which they are applied.
  var changes: [CacheChange] { state.withLock { $0.changes.map(\.change) } }

  /// Returns the open database, and writes the changes that wait for it.
  func database() async throws -> CacheDatabase {
    let database: CacheDatabase
    if let current {
      database = current
    } else {
      database = try await onQueue { Result { try self.current ?? self.open() } }.get()
    }
    let waiting = state.withLock { state in
      defer { state.mustRetry = false }
      return state.mustRetry ? state.lastNumber : nil
    }
    if let waiting { write(in: database, upTo: waiting) }
    return database
  }

  /// Makes a change of stored entries, and then calls a function, in a single transaction after the earlier changes.
  ///
  /// It returns when this is in the file or has failed, or as soon as another process is seen writing to the file: it is
  /// tried for a tenth of a second then, and a change again at the next use. Until then, ``changes`` has the change.
  ///
  /// - Parameters:
  ///   - isRequired: Whether the file is deleted if the change can't be written.
  ///   - purges: The expected number of purges: nothing is written if there were more since.
  /// - Returns: Whether it is in the file, or is still being tried.
  @discardableResult
  func write(
    _ change: CacheChange?, isRequired: Bool = false, unlessPurgedSince purges: Int? = nil,
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Void = { _, _ in }
  ) async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      if let change { state.changes.append((state.lastNumber, change)) }
      return state.lastNumber
    }
    let waiter = Waiter<Bool>()
    do {
      let database = try await database()
      write(in: database, upTo: number, waiter, isRequired: isRequired) { database, db in
        if let purges, purges != self.purges { throw FileError.transient }
        try body(database, db)
      }
    } catch {
      changeFailed(error, nil, number, isRequired: isRequired) {
        waiter.resume(with: .success(false))
      }
    }
    // If the task is cancelled, it goes on.
    return (try? await waiter.value()) ?? true
  }

  private func write(
    in database: CacheDatabase, upTo number: Int, _ waiter: Waiter<Bool> = Waiter(),
    isRequired: Bool = false,
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Void = { _, _ in }
  ) {
    let time = CacheRow.time(now())
    database.queue.write(in: database.pool, waiter) { [self] db in
      let changes = state.withLock { $0.changes }
      for (other, change) in changes where other <= number {
        try database.apply(change, now: time, db)
      }
      try body(database, db)
    } completion: { [self] result in
      switch result {
      case .success:
        state.withLock { $0.changes.removeAll { $0.number <= number } }
        waiter.resume(with: .success(true))
      case .failure(let error):
        changeFailed(error, database, number, isRequired: isRequired) {
          waiter.resume(with: .success(false))
        }
      }
    }
  }

  /// Handles a failure to make a change; calls a function after that.
  private func changeFailed(
    _ error: any Error, _ database: CacheDatabase?, _ number: Int, isRequired: Bool,
    _ completion: @escaping @Sendable () -> Void
  ) {
    let error = FileError(error)
    let isKept = state.withLock { state in
      guard case .transient = error, state.changes.count <= Self.maximumChanges else {
        return false
      }
      state.mustRetry = !state.changes.isEmpty
      return true
    }
    if isKept { return completion() }
    queue.async { [self] in
      if case .damaged(let reason) = error, let database {
        discard(database, reason)
      } else if isRequired {
        // Removed entries must never be served. A file that can't be opened now may be opened later.
        delete()
        if let database {
          forget(database)
          reportFailure(.discarded, reason: "its entries could not be removed: \(error.reason)")
        }
      } else if database?.isCurrent == true {
        reportFailure(.unwritable, reason: error.reason)
      }
      state.withLock { state in
        state.changes.removeAll { isRequired ? $0.number <= number : $0.number == number }
      }
      completion()
    }
  }

  /// Removes entries, including entries that are being stored.
  ///
  /// If that fails, the file is deleted, because removed entries must never be served.
  func purge(_ body: @escaping @Sendable (CacheDatabase) async throws -> Void) async {
    state.withLock { $0.purges += 1 }
    // A file that can't be opened now may be opened later.
    guard let database = try? await database() else { return await onQueue { self.delete() } }
    do {
      try await body(database)
    } catch {
      forget(database)
      await onQueue { self.delete() }
      reportFailure(
        .discarded, reason: "its entries could not be removed: \(FileError(error).reason)")
    }
  }

  /// Handles a read or write error.
  func failed(_ error: any Error, _ database: CacheDatabase) async {
    switch FileError(error) {
    case .transient: break
    // Opening a connection fails while another process deletes the file: a transient error.
    case .unusable(let reason): if database.isCurrent { reportFailure(.unwritable, reason: reason) }
    case .damaged(let reason): await onQueue { self.discard(database, reason) }
    }
  }

  // MARK: Opening and deleting

  /// The open database, or `nil` if its file was deleted.
  private var current: CacheDatabase? {
    guard let database = state.withLock({ $0.database }) else { return nil }
    if database.isCurrent { return database }
    forget(database)
    return nil
  }

  @discardableResult
  private func forget(_ database: CacheDatabase) -> Bool {
    let old = state.withLock { state in
      state.database === database ? state.database.take() : nil
    }
    // Released outside the lock, because releasing closes it.
    return old != nil
  }

  private func open() throws -> CacheDatabase {
    let (failure, nextTry, mustDelete) = state.withLock { ($0.failure, $0.nextTry, $0.mustDelete) }
    if let failure, now() < nextTry { throw failure }
    do {
      try files.createFolder()
      let database = try files.locked {
        if mustDelete { try files.delete() }
        do {
          return try CacheDatabase(files)
        } catch {
          guard let damage = CacheDatabase.damage(in: files, after: error) else { throw error }
          try files.delete()
          reportFailure(.discarded, reason: damage)
          return try CacheDatabase(files)
        }
      }
      state.withLock { state in
        state.database = database
        (state.mustDelete, state.failure) = (false, nil)
      }
      return database
    } catch {
      let failure = FileError(error)
      let isTransient = if case .transient = failure { true } else { false }
      let nextTry = now().addingTimeInterval(isTransient ? 1 : 60)
      state.withLock { ($0.failure, $0.nextTry) = (failure, nextTry) }
      if !isTransient { reportFailure(.unusable, reason: failure.reason) }
      throw failure
    }
  }

  private func discard(_ database: CacheDatabase, _ reason: String) {
    guard forget(database) else { return }
    do {
      try files.locked {
        // Another process may already have replaced the damaged file.
        guard database.isCurrent else { return }
        try files.delete()
        reportFailure(.discarded, reason: reason)
      }
    } catch {
      // Deletion is retried when the file is opened.
      reportFailure(.unusable, reason: FileError(error).reason)
    }
  }

  /// Deletes the file, immediately or before it is opened next; called on the queue.
  private func delete() {
    state.withLock { $0.mustDelete = true }
    try? files.locked {
      try files.delete()
      state.withLock { $0.mustDelete = false }
    }
  }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  private func reportFailure(_ kind: SQLiteCacheFailure.Kind, reason: String) {
    let isNew = state.withLock { $0.reported.insert(kind).inserted }
    guard isNew || kind == .discarded else { return }
    let file = URL(filePath: files.path, directoryHint: .notDirectory)
    report(SQLiteCacheFailure(kind: kind, file: file, reason: reason))
  }
}
