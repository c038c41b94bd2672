import Curlew
import Foundation
import GRDB

extension CacheDatabase {
  /// Removes the entries of an account, or of all accounts if `nil`, and erases their bytes from the file.
  ///
  /// It waits ten seconds for other connections, even if the task is cancelled.
  func purge(account: Int64?) async throws {
    for attempt in 1... {
      do {
        return try await withCheckedThrowingContinuation { continuation in
          pool.asyncWriteWithoutTransaction { db in
            continuation.resume(with: Result { try Self.purge(account: account, db) })
          }
        }
      } catch {
        guard case .transient = FileError(error), attempt < 100 else { throw error }
      }
    }
  }

  private static func purge(account: Int64?, _ db: Database) throws {
    // Otherwise removed bytes stay in the file until their pages are reused.
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
    // As far as other processes allow: the log has copies, too.
    try? vacuum(0, db)
    try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// Changes to be called within a transaction.
extension CacheDatabase {
  /// Stores an entry, and evicts the least recently used entries until it fits.
  func insert(
    _ response: StoredResponse, _ key: CacheKey, body: Data, now: Int64, limit: Int64,
    _ db: Database
  ) throws {
    let (head, isInline) = (HeadCoding.encode(response, key), body.count <= CacheRow.inlineSize)
    let inline = isInline ? body : Data()
    let entry = try db.cachedStatement(
      sql: """
        INSERT INTO entries (key, url, account, used, size, sum, head, bodySum, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try entry.execute(arguments: [
      CacheRow.hash(key), Data(key.url.utf8), CacheRow.hash(account: key.account), now,
      response.bodySize, CacheRow.headSum(head, bodySize: response.bodySize), head,
      CacheRow.bodySum(inline, of: response.id, chunk: 0), inline,
    ])
    let seq = db.lastInsertedRowID
    // After the clock was ahead, entries from then would otherwise stay, and new entries evict each other.
    try db.cachedStatement(sql: "UPDATE entries SET used = ?1 WHERE used > ?1")
      .execute(arguments: [now])
    if !isInline {
      let statement = try db.cachedStatement(
        sql: "INSERT INTO chunks (n, sum, data) VALUES (?, ?, ?)")
      for (chunk, start) in stride(from: 0, to: body.count, by: CacheRow.chunkSize).enumerated() {
        let data = body.dropFirst(start).prefix(CacheRow.chunkSize)
        let sum = CacheRow.bodySum(data, of: response.id, chunk: chunk)
        try statement.execute(arguments: [seq << 20 + Int64(chunk), sum, data])
      }
    }
    try shrink(to: limit, keeping: seq, db)
    try Self.vacuum(limit + limit / 8, db)
  }

  /// Evicts the least recently used entries, except the given entry, until the size is within the limit.
  private func shrink(to limit: Int64, keeping seq: Int64, _ db: Database) throws {
    while try Self.usedBytes(db) > limit {
      let oldest = try db.cachedStatement(
        sql: "SELECT seq FROM entries WHERE seq <> ? ORDER BY used, seq LIMIT 1")
      // If there are no others, the entry doesn't fit.
      guard let row = try Row.fetchOne(oldest, arguments: [seq]) else { throw FileError.transient }
      try remove(row.number(0), db)
    }
  }

  private static func usedBytes(_ db: Database) throws -> Int64 {
    try (number("page_count", db) - number("freelist_count", db)) * Int64(pageSize)
  }

  /// Returns unused pages to the file system if the file exceeds a limit.
  private static func vacuum(_ limit: Int64, _ db: Database) throws {
    let excess = try number("page_count", db) - limit / Int64(pageSize)
    guard excess > 0 else { return }
    try db.execute(sql: "PRAGMA incremental_vacuum(\(excess))")
  }

  /// Applies a change.
  func apply(_ change: CacheChange, now: Int64, _ db: Database) throws {
    switch change {
    case .update(let response, let key): try update(response, key, now: now, db)
    case .remove(let ids, let key): try remove(ids, for: key, db)
    case .removeAll(let url): try removeAll(at: url, db)
    }
  }

  /// Replaces the head of an entry.
  private func update(_ response: StoredResponse, _ key: CacheKey, now: Int64, _ db: Database)
    throws
  {
    for old in try heads(for: key, db) where old.response.id == response.id {
      var response = response
      response.bodySize = old.response.bodySize
      let head = HeadCoding.encode(response, key)
      let statement = try db.cachedStatement(
        sql: "UPDATE entries SET used = ?, sum = ?, head = ? WHERE seq = ?")
      try statement.execute(arguments: [
        now, CacheRow.headSum(head, bodySize: response.bodySize), head, old.seq,
      ])
    }
  }

  /// Removes entries with the given ids under a key.
  private func remove(_ ids: [StoredResponse.ID], for key: CacheKey, _ db: Database) throws {
    for entry in try heads(for: key, db) where ids.contains(entry.response.id) {
      try remove(entry.seq, db)
    }
  }

  private func remove(_ seq: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM entries WHERE seq = ?").execute(arguments: [seq])
  }

  private func heads(for key: CacheKey, _ db: Database) throws -> [Head] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(Self.headColumns) FROM entries WHERE key = ?")
    let rows = try Row.fetchCursor(statement, arguments: [CacheRow.hash(key)])
    var heads: [Head] = []
    while let row = try rows.next() {
      let head = try Self.head(row)
      if head.key == key { heads.append(head) }
    }
    return heads
  }

  /// Removes all entries under a URL.
  private func removeAll(at url: String, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM entries WHERE url = ?")
      .execute(arguments: [Data(url.utf8)])
  }
}
