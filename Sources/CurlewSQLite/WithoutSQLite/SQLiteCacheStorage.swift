// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
public import Foundation

/// The storage of a clone whose machine lacks SQLite's header: stores nothing, and reports which package to install.
///
/// SwiftPM keeps the manifest's result, which depends on the header, until its cache is purged.
public final class SQLiteCacheStorage: CacheStorage {
  public init(
    at url: URL, bytes: Int = 256 << 20, now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (SQLiteCacheFailure) -> Void = { _ in }
  ) {
    report(
      SQLiteCacheFailure(
        kind: .unusable, file: url,
        reason:
          "built without SQLite; install libsqlite3-dev (Fedora: sqlite-devel), and build again after swift package purge-cache"
      ))
  }

  public func entries(for key: CacheKey) async -> [CacheEntry] { [] }
  public func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? { nil }
  public func update(_ response: StoredResponse, for key: CacheKey) async {}
  public func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {}
  public func removeAll(at url: String) async {}
  public func removeAll(of account: String?) async {}
  public func removeAll() async {}
  public func contents() async -> [(key: CacheKey, response: StoredResponse)] { [] }
}
