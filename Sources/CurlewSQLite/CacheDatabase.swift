import Foundation
import GRDB

/// An open database with stored responses.
///
/// It stays usable when its file is deleted, for those who still read from it.
final class CacheDatabase: Sendable {
  /// Tells a cache from the databases of other programs: the bytes of ``CacheFiles/application``.
  private static let application: Int64 = 0x4372_6C77
  private static let format: Int64 = 3
  static let pageSize = 8192

  let pool: DatabasePool
  private let files: CacheFiles
  private let identity: CacheFiles.Identity

  /// Whether the file still has its path.
  var isCurrent: Bool { files.identity == identity }

  /// Opens a file, which is created where it is missing; called under the lock of the files.
  init(_ files: CacheFiles) throws {
    let identity = try files.createFile()
    (self.files, self.identity) = (files, identity)
    var configuration = Configuration()
    configuration.label = "Curlew's cache"
    configuration.foreignKeysEnabled = false
    // Others write for milliseconds; but nobody queues for SQLite's lock, so that bad luck may last.
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      // A mapped file that another program truncates would crash this process.
      try db.execute(sql: "PRAGMA mmap_size = 0")
      guard db.configuration.readonly else { return try Self.check(db) }
      // Read from the caller's thread: rather a miss than a long wait.
      try db.execute(sql: "PRAGMA busy_timeout = 500")
      try files.locked(exclusively: false) {
        // Another file may have taken the path.
        guard files.identity == identity else { throw FileError.passing }
        try db.execute(sql: "SELECT 1 FROM entries LIMIT 0")
      }
    }
    pool = try DatabasePool(path: files.path, configuration: configuration)
    files.restrict()
    try pool.writeWithoutTransaction { try Self.create($0) }
  }

  /// Returns what is wrong with the content of a file that can't be opened; `nil` if it is whole.
  static func damage(in files: CacheFiles, after error: any Error) -> String? {
    switch FileError(error) {
    case .passing: return nil
    case .damaged(let reason): return reason
    // A damaged number of a page may look like a full disk.
    case .unusable: break
    }
    var configuration = Configuration()
    configuration.readonly = true
    do {
      let database = try DatabaseQueue(path: files.path, configuration: configuration)
      let result = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
      return result == "ok" ? nil : result ?? "it can't be checked"
    } catch {
      guard case .damaged(let reason) = FileError(error) else { return nil }
      return reason
    }
  }

  private static func check(_ db: Database) throws {
    guard try number("page_count", db) > 0 else {
      // Before there is a log, so that the file itself says what it is.
      return try db.execute(
        sql: """
          PRAGMA page_size = \(pageSize);
          PRAGMA auto_vacuum = INCREMENTAL;
          PRAGMA application_id = \(application);
          """)
    }
    guard try !isEmpty(db) else { return }
    guard try number("application_id", db) == application else {
      throw FileError.unusable("it is the database of another program")
    }
    guard try number("user_version", db) == format else {
      throw FileError.damaged("it is of another version")
    }
  }

  private static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA wal_autocheckpoint = \((4 << 20) / pageSize);
        PRAGMA journal_size_limit = \(4 << 20);
        PRAGMA secure_delete = FAST;
        """)
    guard try isEmpty(db) else { return }
    try db.inTransaction(.immediate) {
      try db.execute(sql: schema)
      return .commit
    }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
  }

  static func number(_ pragma: String, _ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA \(pragma)")) ?? 0
  }

  // The chunks of a body are found by its entry's sequence number, which is never used again, because bodies
  // are read later than their entries: those of entry 5 are 5 << 20, 5 << 20 + 1, …
  private static let schema = """
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(format);
    CREATE TABLE entries (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, url INTEGER NOT NULL,
      account INTEGER NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, sum INTEGER NOT NULL, head BLOB NOT NULL,
      bodySum INTEGER NOT NULL, body BLOB NOT NULL);
    CREATE INDEX entriesByKey ON entries (key);
    CREATE INDEX entriesByURL ON entries (url);
    CREATE INDEX entriesByUse ON entries (used);
    CREATE TABLE chunks (n INTEGER PRIMARY KEY, sum INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TRIGGER entryRemoved AFTER DELETE ON entries BEGIN
      DELETE FROM chunks WHERE n BETWEEN old.seq << 20 AND (old.seq << 20) + \(1 << 20 - 1);
    END;
    """
}
