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
    /// The time at which opening is retried after a failure.
    var nextTry = Date.distantPast
    var reported: Set<SQLiteCacheFailure.Kind> = []
    var purges = 0
  }

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

  /// Returns the open database; `nil` if it can't be opened.
  func database() async -> CacheDatabase? {
    if let database = current { return database }
    return await onQueue { self.current ?? self.open() }
  }

  /// Writes in a single transaction; returns `nil` if nothing was written.
  ///
  /// - Parameter purges: The expected number of purges: nothing is written if there were more since.
  func write<Value: Sendable>(
    unlessPurgedSince purges: Int? = nil,
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Value
  ) async -> Value? {
    guard let database = await database() else { return nil }
    do {
      return try await database.write { db in
        if let purges, purges != self.purges { throw FileError.passing }
        return try body(database, db)
      }
    } catch {
      await failed(error, database)
      return nil
    }
  }

  /// Removes entries.
  ///
  /// If that fails, the file is deleted, because removed entries must never be served.
  func remove(_ body: @escaping @Sendable (CacheDatabase) async throws -> Void) async {
    // A file that can't be opened now may be opened later.
    guard let database = await database() else { return await delete() }
    do {
      try await body(database)
    } catch {
      forget(database)
      await delete()
      tell(.discarded, reason: "its entries could not be removed: \(FileError(error).reason)")
    }
  }

  /// Removes entries, including entries that are being stored.
  func purge(_ body: @escaping @Sendable (CacheDatabase) async throws -> Void) async {
    state.withLock { $0.purges += 1 }
    await remove(body)
  }

  /// Handles a read or write error.
  func failed(_ error: any Error, _ database: CacheDatabase) async {
    switch FileError(error) {
    case .passing: break
    // Opening a connection fails while another process deletes the file: a transient error.
    case .unusable(let reason): if database.isCurrent { tell(.unwritable, reason: reason) }
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

  private func open() -> CacheDatabase? {
    let (nextTry, mustDelete) = state.withLock { ($0.nextTry, $0.mustDelete) }
    guard now() >= nextTry else { return nil }
    do {
      try files.createFolder()
      let database = try files.locked {
        if mustDelete { try files.delete() }
        do {
          return try CacheDatabase(files)
        } catch {
          guard let damage = CacheDatabase.damage(in: files, after: error) else { throw error }
          try files.delete()
          tell(.discarded, reason: damage)
          return try CacheDatabase(files)
        }
      }
      state.withLock { state in
        state.database = database
        state.mustDelete = false
      }
      return database
    } catch {
      state.withLock { $0.nextTry = now().addingTimeInterval(60) }
      tell(.unusable, reason: FileError(error).reason)
      return nil
    }
  }

  private func discard(_ database: CacheDatabase, _ reason: String) {
    guard forget(database) else { return }
    do {
      try files.locked {
        // Another process may already have replaced the damaged file.
        guard database.isCurrent else { return }
        try files.delete()
        tell(.discarded, reason: reason)
      }
    } catch {
      // Deletion is retried when the file is opened.
      tell(.unusable, reason: FileError(error).reason)
    }
  }

  /// Deletes the file, immediately or before it is opened next.
  private func delete() async {
    state.withLock { $0.mustDelete = true }
    await onQueue {
      try? self.files.locked {
        // A new file may have been opened in the meantime.
        guard self.state.withLock({ $0.mustDelete }) else { return }
        try self.files.delete()
        self.state.withLock { $0.mustDelete = false }
      }
    }
  }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  private func tell(_ kind: SQLiteCacheFailure.Kind, reason: String) {
    let isNew = state.withLock { $0.reported.insert(kind).inserted }
    guard isNew || kind == .discarded else { return }
    let file = URL(filePath: files.path, directoryHint: .notDirectory)
    report(SQLiteCacheFailure(kind: kind, file: file, reason: reason))
  }
}
