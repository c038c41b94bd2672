public import Curlew
public import Foundation
import GRDB

/// A cache storage in a file that several processes can share, with a limited size and least-recently-used eviction.
///
/// The file and its folder are created on demand, readable only by their owner. Requests don't fail because of the
/// storage: unreadable responses are requested again, and problems are reported.
public final class SQLiteCacheStorage: CacheStorage {
  /// The size of an entry beside its head and its body, in bytes.
  private static let overhead = 256

  private let limit: Int
  private let entryLimit: Int
  private let now: @Sendable () -> Date
  private let file: CacheFile

  /// `true`: a task of its own could not stop a read of the disk either.
  public var isStoppable: Bool { true }

  /// Creates a storage without opening its file.
  ///
  /// - Parameters:
  ///   - url: The file. Three more files are beside it, with the suffixes `-wal`, `-shm` and `-lock`.
  ///   - bytes: The maximum size of the file in bytes. The log needs about 4 MiB more, briefly as much as a response.
  ///     Responses larger than an eighth of the size are not stored; other responses are held in memory until they are
  ///     complete.
  ///   - now: Returns the current date, for the order of use.
  ///   - report: Called when the file can't be used: once for each kind of problem, and each time the file is deleted.
  public init(
    at url: URL, bytes: Int = 256 << 20, now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (SQLiteCacheFailure) -> Void = { _ in }
  ) {
    // Prevents overflow in additions to a limit such as `.max`.
    limit = min(max(0, bytes), .max / 2)
    entryLimit = limit / 8
    self.now = now
    file = CacheFile(url, now: now, report: report)
  }

  /// Returns the responses stored under a key.
  public func entries(for key: CacheKey) async -> [CacheEntry] {
    // An actor may be the main actor, which must not wait for a disk.
    let isolation = #isolation
    guard isolation == nil else { return await readElsewhere(key) }
    return await read(key)
  }

  @concurrent
  private func readElsewhere(_ key: CacheKey) async -> [CacheEntry] { await read(key) }

  private func read(_ key: CacheKey) async -> [CacheEntry] {
    let changes = file.changes
    guard let database = try? await file.database() else { return [] }
    do {
      // On this thread: reads don't wait for writers, and switching threads would cost as much as reading.
      return try database.entries(for: key, now: CacheRow.time(now())).compactMap { head, body in
        CacheChange.applied(changes, to: head.response, key).map { response in
          (response, body.map { ResponseBody($0) } ?? self.body(of: head, in: database))
        }
      }
    } catch {
      await file.failed(error, database)
      return []
    }
  }

  /// Returns a body that is read when it is used: of several variants, only one is.
  private func body(of head: CacheDatabase.Head, in database: CacheDatabase) -> ResponseBody {
    ResponseBody { [self] in
      var isRead = false
      return {
        if isRead { return nil }
        isRead = true
        let isolation = #isolation
        guard isolation == nil else { return try await self.readElsewhere(head, database) }
        return try await self.read(head, database)
      }
    }
  }

  @concurrent
  private func readElsewhere(
    _ head: CacheDatabase.Head, _ database: CacheDatabase
  ) async throws -> Data { try await read(head, database) }

  private func read(
    _ head: CacheDatabase.Head, _ database: CacheDatabase
  ) async throws -> Data {
    do {
      if let body = try database.body(of: head) { return body }
    } catch {
      await file.failed(error, database)
    }
    throw Client.TransportFailure(.lost, reason: "the stored response was removed")
  }

  /// Begins storing a response.
  public func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    let room = entryLimit - HeadCoding.encode(response, key).count - Self.overhead
    guard room >= Int(clamping: max(0, response.bodySize)) else { return nil }
    let (purges, limit) = (file.purges, Int64(limit))
    return CollectingCacheWriter(response, room: room) { response, body in
      let time = CacheRow.time(self.now())
      let change = replaced.isEmpty ? nil : CacheChange.remove(replaced, key)
      return await self.file.write(change, unlessPurgedSince: purges) { database, db in
        try database.insert(response, key, body: body, now: time, limit: limit, db)
      }
    }
  }

  /// Replaces the head of a stored response.
  public func update(_ response: StoredResponse, for key: CacheKey) async {
    await file.write(.update(response, key), isRequired: response.isOutdated)
  }

  /// Removes responses under a key.
  public func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    guard !ids.isEmpty else { return }
    await file.write(.remove(ids, key), isRequired: true)
  }

  /// Removes all responses under a URL.
  public func removeAll(at url: String) async {
    await file.write(.removeAll(url: url), isRequired: true)
  }

  /// Removes all responses of an account.
  public func removeAll(of account: String?) async {
    let account = CacheRow.hash(account: account)
    await file.purge { try await $0.purge(account: account) }
  }

  /// Removes all responses.
  public func removeAll() async {
    await file.purge { try await $0.purge(account: nil) }
  }

  /// Returns the stored responses, most recently used first.
  public func contents() async -> [(key: CacheKey, response: StoredResponse)] {
    await contents(at: nil, andBelow: true)
  }

  /// Returns the stored responses under a URL, most recently used first.
  public func contents(
    at url: String, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    await contents(at: url as String?, andBelow: andBelow)
  }

  private func contents(
    at url: String?, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    let changes = file.changes
    guard let database = try? await file.database() else { return [] }
    do {
      let contents = try await database.contents(at: url, andBelow: andBelow)
      if changes.isEmpty { return contents }
      return contents.compactMap { key, response in
        CacheChange.applied(changes, to: response, key).map { (key, $0) }
      }
    } catch {
      await file.failed(error, database)
      return []
    }
  }
}
