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

  /// Returns the entries of a key with their bodies, newest first.
  func entries(for key: CacheKey, now: Int64) throws -> [CacheEntry] {
    // A statement is a read transaction until its rows are read.
    try pool.unsafeRead { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(Self.headColumns), bodySum, body FROM entries
          WHERE key = ? ORDER BY seq DESC
          """)
      let rows = try Row.fetchCursor(statement, arguments: [CacheRow.hash(key)])
      var (entries, used) = ([CacheEntry](), [Int64]())
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
          entries.append((head.response, ResponseBody(data)))
        } else {
          entries.append((head.response, ResponseBody(try Self.body(of: head, db))))
        }
        // The checksum doesn't cover the time: a damaged value may be any number.
        if now &- head.used >= Self.useInterval { used.append(head.seq) }
      }
      if !used.isEmpty { use(used, now) }
      return entries
    }
  }

  private static func body(of head: Head, _ db: Database) throws -> Data {
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
    guard body.count == size else { throw FileError.damaged("a part of a body is missing") }
    return body
  }

  /// Updates the time of use of entries asynchronously.
  ///
  /// It may be lost, because it only improves eviction.
  private func use(_ entries: [Int64], _ now: Int64) {
    pool.asyncWrite { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE entries SET used = ?1 WHERE seq = ?2 AND used < ?1")
      for seq in entries { try statement.execute(arguments: [now, seq]) }
    } completion: { _, _ in
    }
  }
}
