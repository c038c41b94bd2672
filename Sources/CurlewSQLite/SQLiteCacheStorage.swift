public import Curlew
public import Foundation
import GRDB

/// Stored responses in a file, for several processes at once; bounded in bytes, and those that were used
/// least recently go first.
///
/// The file and its folder are created when they are needed first, readable only by their owner. No request
/// fails because of it: what can't be read is requested anew, and what is wrong is reported.
public final class SQLiteCacheStorage: CacheStorage {
  /// What an entry takes beside its head and its body, in bytes.
  private static let overhead = 256

  private let limit: Int
  private let entryLimit: Int
  private let now: @Sendable () -> Date
  private let file: CacheFile

  /// Creates a storage; opens nothing yet.
  ///
  /// - Parameters:
  ///   - url: The file. Three more are beside it, with the suffixes `-wal`, `-shm` and `-lock`.
  ///   - bytes: The maximum size of the file, to which a log is added: about 4 MiB, for a moment as much
  ///     as a response. A response that takes more than an eighth of the size is not stored; others are in
  ///     memory until they are complete.
  ///   - now: Returns the current date, for the order of use.
  ///   - report: Is called when the file can't be used as it is: once for each kind of a problem, and each
  ///     time it is deleted.
  public init(
    at url: URL, bytes: Int = 256 << 20, now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (SQLiteCacheFailure) -> Void = { _ in }
  ) {
    // "As much as there is" must not overflow when it is added to.
    limit = min(max(0, bytes), .max / 2)
    entryLimit = limit / 8
    self.now = now
    file = CacheFile(url, now: now, report: report)
  }

  /// Returns the responses that are stored under a key.
  public func entries(for key: CacheKey) async -> [CacheEntry] {
    // A task on an actor may be that of a user interface, which must not wait for a disk.
    let isolation = #isolation
    guard isolation == nil else { return await readElsewhere(key) }
    return await read(key)
  }

  @concurrent
  private func readElsewhere(_ key: CacheKey) async -> [CacheEntry] { await read(key) }

  private func read(_ key: CacheKey) async -> [CacheEntry] {
    guard let database = await file.database() else { return [] }
    do {
      // On this thread: readers wait for nobody, and going elsewhere would cost as much as reading.
      return try database.entries(for: key, now: microseconds())
    } catch {
      await file.failed(error, database)
      return []
    }
  }

  /// Begins to store a response.
  public func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    let room = entryLimit - HeadCoding.encode(response, key).count - Self.overhead
    guard room >= Int(clamping: max(0, response.bodySize)) else { return nil }
    let (purges, limit) = (file.purges, Int64(limit))
    return CollectingCacheWriter(response, room: room) { response, body in
      let time = self.microseconds()
      return await self.file.write(unlessPurgedSince: purges) { database, db -> Void in
        try database.remove(replaced, for: key, db)
        try database.insert(response, key, body: body, now: time, limit: limit, db)
      } != nil
    }
  }

  /// Replaces the head of a stored response.
  public func update(_ response: StoredResponse, for key: CacheKey) async {
    let time = microseconds()
    _ = await file.write { try $0.update(response, key, now: time, $1) }
  }

  /// Removes responses under a key.
  public func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    await file.remove { database in
      try await database.write { try database.remove(ids, for: key, $0) }
    }
  }

  /// Removes all responses under a URL.
  public func removeAll(at url: String) async {
    await file.remove { database in try await database.write { try database.removeAll(at: url, $0) }
    }
  }

  /// Removes all responses of an account.
  public func removeAll(of account: String?) async {
    let account = CacheRow.hash(account: account)
    await file.purge { try await $0.purge(account: account) }
  }

  /// Removes everything.
  public func removeAll() async {
    await file.purge { try await $0.purge(account: nil) }
  }

  /// Returns what is stored, the most recently used first.
  public func contents() async -> [(key: CacheKey, response: StoredResponse)] {
    await file.write { try $0.contents($1) } ?? []
  }

  private func microseconds() -> Int64 {
    Int64((now().timeIntervalSince1970 * 1e6).clamped)
  }
}

extension Double {
  /// The nearest number that an `Int64` can have.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -9e18), 9e18) }
}
