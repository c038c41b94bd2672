import Foundation
import GRDB

/// What makes room.
extension CacheDatabase {
  /// Removes the entries of an account, also those that are being stored, so that nothing of them is left
  /// in the file; of all accounts without one.
  func purge(account: Int64?, _ db: Database) throws {
    // Otherwise the bytes of removed entries stay in the file until others take their pages.
    try db.execute(sql: "PRAGMA secure_delete = ON")
    defer { try? db.execute(sql: "PRAGMA secure_delete = FAST") }
    try db.inTransaction(.immediate) {
      if let account {
        try db.execute(sql: "DELETE FROM entries WHERE account = ?", arguments: [account])
      } else {
        try db.execute(sql: "DELETE FROM chunks; DELETE FROM entries")
      }
      return .commit
    }
    // As far as other processes let it: the log has copies, too.
    try? vacuum(0, db)
    try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Removes the least recently used entries until the others fit, except one.
  ///
  /// - Returns: `false` if they don't fit.
  func shrink(to limit: Int64, keeping seq: Int64, _ db: Database) throws -> Bool {
    while try usedBytes(db) > limit {
      let oldest = try db.cachedStatement(
        sql: "SELECT seq FROM entries WHERE seq <> ? ORDER BY used, seq LIMIT 1")
      guard let row = try Row.fetchOne(oldest, arguments: [seq]) else { return false }
      try remove(row.number(0), db)
    }
    return true
  }

  /// Gives pages that nobody uses back to the file system, if the file is larger than a limit.
  func vacuum(_ limit: Int64, _ db: Database) throws {
    let pages = try Self.number("page_count", db)
    let excess = pages - limit / Int64(Self.pageSize)
    guard excess > 0 else { return }
    try db.execute(sql: "PRAGMA incremental_vacuum(\(excess))")
  }

  private func usedBytes(_ db: Database) throws -> Int64 {
    try (Self.number("page_count", db) - Self.number("freelist_count", db)) * Int64(Self.pageSize)
  }
}
