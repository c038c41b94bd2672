import Curlew
import Foundation
import GRDB
import Synchronization

/// Changes; each is called within a transaction.
extension CacheDatabase {
  /// Writes down what was used; called before whatever depends on the order.
  func writeUses(_ db: Database) throws {
    let uses = uses.withLock { uses in
      defer { uses = [:] }
      return uses
    }
    guard !uses.isEmpty else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE entries SET used = ?1 WHERE seq = ?2 AND used < ?1")
    for (seq, time) in uses { try statement.execute(arguments: [time, seq]) }
  }

  /// Begins an entry that nobody sees yet; returns its sequence number.
  func begin(_ key: CacheKey, now: Int64, _ db: Database) throws -> Int64 {
    try insert(key, size: -1, sum: 0, head: Data(), bodySum: 0, body: Data(), now: now, db)
    return db.lastInsertedRowID
  }

  /// Writes chunks of the body of an entry; returns `false` if the entry was removed meanwhile.
  func append(
    _ chunks: [Data], from first: Int, to seq: Int64, of id: UUID, now: Int64, _ db: Database
  ) throws -> Bool {
    // It is in use as long as it grows.
    let entry = try db.cachedStatement(
      sql: "UPDATE entries SET used = ? WHERE seq = ? AND size < 0")
    try entry.execute(arguments: [now, seq])
    guard db.changesCount == 1 else { return false }
    let statement = try db.cachedStatement(
      sql: "INSERT INTO chunks (n, sum, data) VALUES (?, ?, ?)")
    for (index, data) in chunks.enumerated() {
      let sum = CacheRow.bodySum(data, of: id, chunk: first + index)
      try statement.execute(arguments: [seq << 20 + Int64(first + index), sum, data])
    }
    return true
  }

  /// Makes an entry visible whose chunks are written; returns `false` if it was removed meanwhile.
  func finish(_ response: StoredResponse, _ key: CacheKey, seq: Int64, _ db: Database) throws
    -> Bool
  {
    let head = HeadCoding.encode(response, key)
    let statement = try db.cachedStatement(
      sql: "UPDATE entries SET size = ?, sum = ?, head = ? WHERE seq = ? AND size < 0")
    try statement.execute(arguments: [
      response.bodySize, CacheRow.headSum(head, bodySize: response.bodySize), head, seq,
    ])
    return db.changesCount == 1
  }

  /// Stores an entry with a small body.
  func insert(
    _ response: StoredResponse, _ key: CacheKey, body: Data, now: Int64, _ db: Database
  ) throws {
    let head = HeadCoding.encode(response, key)
    try insert(
      key, size: response.bodySize, sum: CacheRow.headSum(head, bodySize: response.bodySize),
      head: head, bodySum: CacheRow.bodySum(body, of: response.id, chunk: 0), body: body, now: now,
      db)
  }

  private func insert(
    _ key: CacheKey, size: Int64, sum: Int64, head: Data, bodySum: Int64, body: Data, now: Int64,
    _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO entries (key, url, account, used, size, sum, head, bodySum, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      CacheRow.hash(key), CacheRow.hash(url: key.url), CacheRow.hash(account: key.account), now,
      size, sum, head, bodySum, body,
    ])
  }

  /// Replaces the head of an entry.
  func update(_ response: StoredResponse, _ key: CacheKey, now: Int64, _ db: Database) throws {
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

  /// Removes entries of a key.
  func remove(_ ids: [StoredResponse.ID], for key: CacheKey, _ db: Database) throws {
    guard !ids.isEmpty else { return }
    for entry in try heads(for: key, db) where ids.contains(entry.response.id) {
      try remove(entry.seq, db)
    }
  }

  func remove(_ seq: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM entries WHERE seq = ?").execute(arguments: [seq])
  }

  private func heads(for key: CacheKey, _ db: Database) throws -> [Head] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(Self.headColumns) FROM entries WHERE key = ? AND size >= 0")
    let rows = try Row.fetchCursor(statement, arguments: [CacheRow.hash(key)])
    var heads: [Head] = []
    while let row = try rows.next() {
      let head = try Self.head(row)
      if head.key == key { heads.append(head) }
    }
    return heads
  }

  /// Removes all entries under a URL.
  func removeAll(at url: String, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM entries WHERE url = ? AND size >= 0")
      .execute(arguments: [CacheRow.hash(url: url)])
  }

  /// Returns all entries, the most recently used first.
  func contents(_ db: Database) throws -> [(key: CacheKey, response: StoredResponse)] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Self.headColumns) FROM entries WHERE size >= 0 ORDER BY used DESC, seq DESC
        """)
    var contents: [(key: CacheKey, response: StoredResponse)] = []
    while let row = try rows.next() {
      let head = try Self.head(row)
      contents.append((head.key, head.response))
    }
    return contents
  }
}
