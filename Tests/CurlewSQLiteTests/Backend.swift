import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing
import cache_process

@testable import Curlew

/// The storages that must have the same behavior.
enum Backend: CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String { "\(self)" }

  /// Returns a new storage that must not report failures.
  ///
  /// Its clock advances by an hour at each read, so that each use is written to the file.
  func storage(bytes: Int = 64 << 20) throws -> any CacheStorage {
    switch self {
    case .memory: MemoryCacheStorage(bytes: bytes)
    case .sqlite:
      try Folder { Issue.record("\($0)") }.storage(bytes: bytes)
    }
  }
}

/// A temporary folder with a cache.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID())")
  private let reported = Mutex<[SQLiteCacheFailure]>([])
  private let report: @Sendable (SQLiteCacheFailure) -> Void
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var file: URL { url.appending(path: "cache.sqlite") }
  var problems: [SQLiteCacheFailure] { reported.withLock { $0 } }
  /// The names of the files in the folder.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  func storage(at path: String? = nil, bytes: Int = 64 << 20) -> SQLiteCacheStorage {
    SQLiteCacheStorage(
      at: path.map { url.appending(path: $0) } ?? file, bytes: bytes,
      now: { [self] in
        time.withLock { time in
          time += 3600
          return time
        }
      },
      report: { [self] problem in
        reported.withLock { $0.append(problem) }
        report(problem)
      })
  }

  func size(of name: String = "cache.sqlite") -> Int {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.appending(path: name).path)
    return attributes?[.size] as? Int ?? 0
  }

  /// Opens the file in addition to the storages, and waits for their writes.
  func pool() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabasePool(path: file.path, configuration: configuration)
  }

  /// Changes a byte of the last row's value, which SQLite does not check.
  func damage(_ column: String, of table: String) async throws {
    try await pool().write { db in
      let row = "rowid = (SELECT max(rowid) FROM \(table))"
      let sql = "SELECT \(column) FROM \(table) WHERE \(row)"
      var bytes = try #require(try Data.fetchOne(db, sql: sql))
      bytes[bytes.count - 3] ^= 1
      try db.execute(sql: "UPDATE \(table) SET \(column) = ? WHERE \(row)", arguments: [bytes])
    }
  }

  #if os(macOS) || os(Linux)
    /// Copies a file's bytes into another file, in a separate process: a process that closes a file loses its locks on
    /// it, including SQLite's locks.
    func overwrite(_ file: URL, with source: URL) async throws {
      _ = try await Process.run(["sh", "-c", #"cat "$0" > "$1""#, source.path, file.path])
    }
  #endif

  /// Moves the log's content into the file.
  func emptyLog() async throws {
    let pool = try pool()
    try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  init(report: @escaping @Sendable (SQLiteCacheFailure) -> Void = { _ in }) throws {
    self.report = report
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension CacheStorage {
  /// Returns the defects of the responses stored under a key.
  func faults(for key: CacheKey) async throws -> [String] {
    var faults: [String] = []
    for entry in await entries(for: key) {
      if let fault = try await SampleResponse.fault(of: entry, for: key) { faults.append(fault) }
    }
    return faults
  }

  /// Returns the URLs of the stored responses, without their common prefix.
  func names() async -> [String] {
    await contents().map { String($0.key.url.dropFirst("https://api.example/".count)) }
  }
}

/// Checks that the responses stored under a key are intact.
func expectWhole(
  _ storage: any CacheStorage, _ key: CacheKey, _ what: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let faults = try await storage.faults(for: key)
  #expect(faults == [], "\(what)", sourceLocation: sourceLocation)
}
