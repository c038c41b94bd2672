import Foundation
import GRDB

/// An open database with stored responses.
///
/// It remains readable after its file is deleted.
final class CacheDatabase: Sendable {
  /// Identifies a cache's database: the bytes of ``CacheFiles/application``.
  private static let application: Int64 = 0x4372_6C77
  private static let format: Int64 = 4
  static let pageSize = 8192

  let pool: DatabasePool
  let queue: WriteQueue
  private let files: CacheFiles
  private let identity: CacheFiles.Identity

  /// Whether the database's file is still at its path.
  var isCurrent: Bool { files.identity == identity }

  /// Opens a file, and creates it if necessary; called under the file lock.
  init(_ files: CacheFiles) throws {
    let identity = try files.createFile()
    let queue = WriteQueue()
    (self.files, self.identity, self.queue) = (files, identity, queue)
    var configuration = Configuration()
    configuration.label = "Curlew's cache"
    configuration.foreignKeysEnabled = false
    // Another connection's writes take milliseconds, but its transaction may stay open: a backup, a stopped process.
    configuration.busyMode = .callback { [queue] in queue.isBusy($0) }
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      // If another program truncated a mapped file, this process would crash.
      try db.execute(sql: "PRAGMA mmap_size = 0")
      guard db.configuration.readonly else { return try Self.check(db) }
      // Reads block the caller's thread: a miss is better than a long wait.
      try db.execute(sql: "PRAGMA busy_timeout = 100")
      try files.locked(exclusively: false) {
        // The path may have another file now.
        guard files.identity == identity else { throw FileError.transient }
        try db.execute(sql: "SELECT 1 FROM entries LIMIT 0")
      }
    }
    pool = try DatabasePool(path: files.path, configuration: configuration)
    files.restrict()
    try pool.writeWithoutTransaction { try Self.create($0) }
  }

  /// Returns a description of the damage in a file that can't be opened; `nil` if it is intact.
  static func damage(in files: CacheFiles, after error: any Error) -> String? {
    switch FileError(error) {
    case .transient: return nil
    case .damaged(let reason): return reason
    // A damaged page number may look like a full disk.
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
      // Set before the write-ahead log exists, so that the application ID is in the header of the main file.
      return try db.execute(
        sql: """
          PRAGMA page_size = \(pageSize);
          PRAGMA auto_vacuum = INCREMENTAL;
          PRAGMA application_id = \(application);
          """)
    }
    guard try !isEmpty(db) else { return }
    guard try number("application_id", db) == application else {
      throw FileError.unusable("it is another program's database")
    }
    guard try number("user_version", db) == format else {
      throw FileError.damaged("its format version is not supported")
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

  // The ids of a body's chunks are derived from its entry's sequence number: for entry 5, 5 << 20, 5 << 20 + 1, …
  // Sequence numbers are never reused, because bodies are read after their entries.
  private static let schema = """
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(format);
    CREATE TABLE entries (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, url BLOB NOT NULL,
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
