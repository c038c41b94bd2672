import Dispatch
import Foundation
import GRDB
import Synchronization

extension CacheFile {
  /// Writes in one transaction; returns `nil` if nothing was written.
  ///
  /// - Parameters:
  ///   - expected: The database that has to be the current one; `nil` for any.
  ///   - purges: Nothing is written if there were more purges since.
  func write<Value: Sendable>(
    to expected: CacheDatabase? = nil, unlessPurgedSince purges: Int? = nil,
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Value
  ) async -> Value? {
    guard let database = await database(), expected == nil || expected === database else {
      return nil
    }
    do {
      return try await run(in: database) { database, db in
        var value: Value?
        try db.inTransaction(.immediate) {
          if let purges, purges != self.purges { throw NotStored() }
          value = try body(database, db)
          return .commit
        }
        return value
      }
    } catch {
      await failed(error, database)
      return nil
    }
  }

  /// Removes entries in one transaction.
  ///
  /// If that fails, all go: what was removed must never be served.
  func remove(
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Void
  ) async {
    await removeSurely { database, db in
      try db.inTransaction(.immediate) {
        try body(database, db)
        return .commit
      }
    }
  }

  /// Removes entries, also those that are being stored, and what was renamed.
  func purge(_ body: @escaping @Sendable (CacheDatabase, Database) throws -> Void) async {
    state.withLock { $0.purges += 1 }
    await removeSurely(body)
    // What was damaged, perhaps just now, is somebody's, too.
    files.removeCopies()
  }

  private func removeSurely(
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Void
  ) async {
    // What can't be opened now may be opened later.
    guard let database = await database() else { return await delete() }
    do {
      try await run(in: database, body)
    } catch {
      if case .damaged = Trouble(error) { return await failed(error, database) }
      forget(database)
      await delete()
      tell(.discarded, reason: "\(error)")
    }
  }

  /// Deletes the file: at once, or else before it is opened next.
  private func delete() async {
    state.withLock { $0.mustDelete = true }
    await withCheckedContinuation { continuation in
      queue.async {
        try? self.files.locked {
          // Somebody may have opened a new one meanwhile.
          guard self.state.withLock({ $0.mustDelete }) else { return }
          try self.files.delete()
          self.state.withLock { $0.mustDelete = false }
        }
        continuation.resume()
      }
    }
  }

  /// Runs a function on the writer's queue; unlike GRDB's own function it can't be cancelled.
  private func run<Value: Sendable>(
    in database: CacheDatabase,
    _ body: @escaping @Sendable (CacheDatabase, Database) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      database.pool.asyncWriteWithoutTransaction { db in
        continuation.resume(with: Result { try body(database, db) })
      }
    }
  }
}
