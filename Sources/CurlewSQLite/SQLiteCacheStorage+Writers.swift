import Curlew
import Foundation
import GRDB

/// What writers do.
extension SQLiteCacheStorage {
  /// An entry that nobody sees yet.
  struct PendingEntry {
    let seq: Int64
    let database: CacheDatabase
    let chunks: Int
  }

  func append(
    _ chunks: [Data], to entry: PendingEntry?, of id: UUID, _ key: CacheKey
  ) async -> PendingEntry? {
    let (time, limit) = (microseconds(), Int64(limit))
    let result = await file.write(to: entry?.database) { database, db -> PendingEntry? in
      try database.writeUses(db)
      let seq = try entry?.seq ?? database.begin(key, now: time, db)
      let first = entry?.chunks ?? 0
      guard try database.append(chunks, from: first, to: seq, of: id, now: time, db),
        try database.shrink(to: limit, keeping: seq, db)
      else { throw CacheFile.NotStored() }
      return PendingEntry(seq: seq, database: database, chunks: first + chunks.count)
    }
    return result ?? nil
  }

  func finish(
    _ response: StoredResponse, _ key: CacheKey, _ entry: PendingEntry,
    replacing replaced: [StoredResponse.ID], purges: Int
  ) async -> Bool {
    let limit = Int64(limit)
    return await file.write(to: entry.database, unlessPurgedSince: purges) { database, db -> Void in
      try database.remove(replaced, for: key, db)
      guard try database.finish(response, key, seq: entry.seq, db),
        try database.shrink(to: limit, keeping: entry.seq, db)
      else { throw CacheFile.NotStored() }
      try database.vacuum(limit + limit / 8, db)
    } != nil
  }

  func insert(
    _ response: StoredResponse, _ key: CacheKey, _ body: Data,
    replacing replaced: [StoredResponse.ID], purges: Int
  ) async -> Bool {
    let (time, limit) = (microseconds(), Int64(limit))
    return await file.write(unlessPurgedSince: purges) { database, db -> Void in
      try database.writeUses(db)
      try database.remove(replaced, for: key, db)
      try database.insert(response, key, body: body, now: time, db)
      guard try database.shrink(to: limit, keeping: db.lastInsertedRowID, db) else {
        throw CacheFile.NotStored()
      }
      try database.vacuum(limit + limit / 8, db)
    } != nil
  }

  /// Removes what a writer has written that was released before its end.
  func abandon(_ entry: PendingEntry) {
    entry.database.pool.asyncWriteWithoutTransaction { db in
      // If it fails, it goes like an old entry.
      try? entry.database.remove(entry.seq, db)
    }
  }
}
