import Curlew
import Foundation
import GRDB

extension CacheDatabase {
  /// The precision of an entry's last use, in microseconds: most hits need no write.
  private static let useInterval: Int64 = 60_000_000

  /// An entry's row, without its body.
  struct Head {
    let seq: Int64
    let used: Int64
    let response: StoredResponse
    let key: CacheKey
  }

  /// The columns that ``head(_:)`` reads.
  static let headColumns = "seq, used, size, sum, head"

  static func head(_ row: Row) throws -> Head {
    let (size, sum, bytes) = try (row.number(2), row.number(3), row.data(4))
    guard CacheRow.headSum(bytes, bodySize: size) == sum,
      let (response, key) = bytes.withUnsafeBytes({ HeadCoding.decode($0, bodySize: size) })
    else { throw FileError.damaged("an entry's checksum is wrong") }
    return Head(
      seq: try row.number(0), used: try row.number(1), response: response, key: key)
  }

  /// Returns the entries of a key, newest first, with their bodies if these are in their rows.
  func entries(for key: CacheKey, now: Int64) throws -> [(head: Head, body: Data?)] {
    // A statement is a read transaction until its rows are read.
    try pool.unsafeRead { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(Self.headColumns), bodySum, body FROM entries
          WHERE key = ? ORDER BY seq DESC
          """)
      let rows = try Row.fetchCursor(statement, arguments: [CacheRow.hash(key)])
      var (entries, used) = ([(head: Head, body: Data?)](), [Int64]())
      while let row = try rows.next() {
        let head = try Self.head(row)
        // A hash collision with another key.
        guard head.key == key else { continue }
        let size = head.response.bodySize
        if size <= CacheRow.inlineSize {
          let data = try row.data(6)
          let bodySum = try row.number(5)
          guard data.count == size,
            CacheRow.bodySum(data, of: head.response.id, chunk: 0) == bodySum
          else { throw FileError.damaged("a body's checksum is wrong") }
          entries.append((head, data))
        } else {
          entries.append((head, nil))
        }
        // The checksum doesn't cover the time: a damaged value may be any number.
        if now &- head.used >= Self.useInterval { used.append(head.seq) }
      }
      if !used.isEmpty { use(used, now) }
      return entries
    }
  }

  /// Returns the body of an entry; `nil` if the entry was removed meanwhile.
  func body(of head: Head) throws -> Data? {
    try pool.unsafeRead { try Self.body(of: head, $0) }
  }

  private static func body(of head: Head, _ db: Database) throws -> Data? {
    let size = Int(head.response.bodySize)
    var body = Data(capacity: size)
    let count = (size + CacheRow.chunkSize - 1) / CacheRow.chunkSize
    let statement = try db.cachedStatement(
      sql: "SELECT sum, data FROM chunks WHERE n >= ? AND n < ? ORDER BY n")
    let first = head.seq << 20
    let rows = try Row.fetchCursor(statement, arguments: [first, first + Int64(count)])
    var chunk = 0
    while let row = try rows.next() {
      let sum = try row.number(0)
      try row.withUnsafeData(atIndex: 1) { data in
        guard let data, body.count + data.count <= size,
          CacheRow.bodySum(data, of: head.response.id, chunk: chunk) == sum
        else { throw FileError.damaged("a body's checksum is wrong") }
        body.append(data)
      }
      chunk += 1
    }
    if body.count == size { return body }
    // An entry is removed with all its chunks.
    let isStored = try Row.fetchOne(
      db, sql: "SELECT 1 FROM entries WHERE seq = ?", arguments: [head.seq])
    if isStored == nil { return nil }
    throw FileError.damaged("a part of a body is missing")
  }

  /// Updates the time of use of entries asynchronously.
  ///
  /// It may be lost, because it only improves eviction.
  private func use(_ entries: [Int64], _ now: Int64) {
    queue.write(in: pool) { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE entries SET used = ?1 WHERE seq = ?2 AND used < ?1")
      for seq in entries { try statement.execute(arguments: [now, seq]) }
    }
  }

  /// Returns the entries under a URL or, if asked for, below it, or all entries for `nil`; the most recently used first.
  func contents(
    at url: String?, andBelow: Bool
  ) async throws -> [(key: CacheKey, response: StoredResponse)] {
    try await withCheckedThrowingContinuation { continuation in
      // After the earlier writes, but without a lock.
      pool.asyncWriteWithoutTransaction { db in
        continuation.resume(with: Result { try Self.contents(at: url, andBelow: andBelow, db) })
      }
    }
  }

  private static func contents(
    at url: String?, andBelow: Bool, _ db: Database
  ) throws -> [(key: CacheKey, response: StoredResponse)] {
    // A URL with a byte that is not in UTF-8 is greater than all URLs below it.
    let bounds = url.map { [Data($0.utf8), Data($0.utf8) + (andBelow ? [0xFF] : [])] } ?? []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Self.headColumns) FROM entries
        \(bounds.isEmpty ? "" : "WHERE url BETWEEN ? AND ?") ORDER BY used DESC, seq DESC
        """, arguments: StatementArguments(bounds))
    var contents: [(key: CacheKey, response: StoredResponse)] = []
    while let row = try rows.next() {
      let head = try Self.head(row)
      if let url, !head.key.isAt(url, andBelow: andBelow) { continue }
      contents.append((head.key, head.response))
    }
    return contents
  }
}
