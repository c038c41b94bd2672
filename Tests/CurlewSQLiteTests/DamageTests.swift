import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import cache_process

/// What happens to a file that is damaged, or that can't be used.
@Suite(.timeLimit(.minutes(30)))
struct DamageTests {
  private static let samples = (0..<12).map { index in
    SampleResponse("\(index)", seed: UInt64(index), size: [50, 3000, 20_000, 150_000][index % 4])
  }

  /// Stores responses, of which a part is still in the log; returns the bytes of both.
  private func fill(_ folder: Folder) async throws -> (file: Data, log: Data) {
    let storage = folder.storage()
    for sample in Self.samples { await sample.store(in: storage) }
    // As a killed process leaves them.
    let (file, log) = (
      try Data(contentsOf: folder.file),
      try Data(contentsOf: folder.url.appending(path: "cache.sqlite-wal"))
    )
    #expect(await storage.contents().count == Self.samples.count)
    return (file, log)
  }

  /// A file without a log.
  private func closedFile() async throws -> Data {
    let folder = Folder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    _ = try await fill(folder)
    try await folder.emptyLog()
    return try Data(contentsOf: folder.file)
  }

  /// Checks that nothing wrong is served, and that the storage works.
  private func check(_ storage: any CacheStorage, _ what: String) async throws {
    for sample in Self.samples {
      try await expectWhole(storage, sample.key, "\(what)")
    }
    _ = await storage.contents()
    // After damage was seen it may be the second one that is stored.
    for _ in 0..<3 {
      guard await Self.samples[3].store(in: storage) == nil else { break }
    }
    let entries = await storage.entries(for: Self.samples[3].key)
    #expect(!entries.isEmpty, "\(what)")
    try await expectWhole(storage, Self.samples[3].key, "\(what)")
  }

  @Test func otherFileIsRenamedAndReportedOnce() async throws {
    let valid = try await closedFile()
    let contents: [Data] = [
      Data("no database".utf8), Data(repeating: 7, count: 100_000), valid.prefix(100),
      Data(count: 5000) + valid.dropFirst(5000), valid.prefix(16) + Data(count: 50_000),
    ]
    for content in contents {
      try await withFolder { folder in
        try content.write(to: folder.file)
        let storage = folder.storage()
        try await check(storage, "\(content)")
        try await check(folder.storage(), "\(content)")
        #expect(folder.problems.map(\.kind) == [.damaged])
        let copy = try #require(folder.problems.first?.copy)
        #expect(try Data(contentsOf: copy) == content)
        #expect(copy.lastPathComponent.hasPrefix("cache.sqlite-damaged-2027-01-15T"))
        #expect(folder.problems.first?.description.contains("it was renamed to cache.s") == true)
      }
    }
  }

  @Test func databaseOfAnotherProgramIsRenamed() async throws {
    try await withFolder { folder in
      do {
        let other = try DatabaseQueue(path: folder.file.path)
        try await other.write { try $0.execute(sql: "CREATE TABLE x (y); PRAGMA user_version = 1") }
      }
      try await check(folder.storage(), "")
      #expect(folder.problems.map(\.kind) == [.damaged])
    }
  }

  @Test func newerFormatIsKept() async throws {
    try await withFolder { folder in
      _ = try await fill(folder)
      do {
        let newer = try folder.pool()
        try await newer.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA user_version = 3")
          _ = try db.checkpoint(.truncate)
        }
      }
      let bytes = try Data(contentsOf: folder.file)
      try await check(folder.storage(), "")
      #expect(folder.problems.map(\.kind) == [.newer])
      let copy = try #require(folder.problems.first?.copy)
      #expect(copy.lastPathComponent.hasPrefix("cache.sqlite-newer-"))
      #expect(try Data(contentsOf: copy) == bytes)
    }
  }

  @Test func copyKeepsItsLogAndTheNewFileDoesNot() async throws {
    try await withFolder { folder in
      let (file, log) = try await fill(folder)
      try file.write(to: folder.file)
      try log.write(to: folder.url.appending(path: "cache.sqlite-wal"))
      do {
        let newer = try folder.pool()
        try await newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 3") }
        try Data(contentsOf: folder.file).write(to: folder.url.appending(path: "kept"))
        try Data(contentsOf: folder.url.appending(path: "cache.sqlite-wal"))
          .write(to: folder.url.appending(path: "kept-wal"))
      }
      // As a killed process leaves them.
      for suffix in ["", "-wal"] {
        try Data(contentsOf: folder.url.appending(path: "kept\(suffix)"))
          .write(to: folder.url.appending(path: "cache.sqlite\(suffix)"))
      }
      let storage = folder.storage()
      #expect(await storage.contents().isEmpty)
      #expect(folder.problems.map(\.kind) == [.newer])
      let copy = try DatabasePool(path: try #require(folder.problems.first?.copy).path)
      let count = try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") }
      #expect(count == Self.samples.count)
      try await check(storage, "")
    }
  }

  /// A byte that SQLite does not look at.
  @Test(arguments: ["head", "body", "chunk", "size"])
  func changedByteIsNoticed(column: String) async throws {
    try await withFolder { folder in
      let sample = SampleResponse("a", size: column == "chunk" ? 20_000 : 3000)
      await sample.store(in: folder.storage())
      let pool = try folder.pool()
      try await pool.write { db in
        guard column != "size" else {
          return try db.execute(sql: "UPDATE entries SET size = size - 1")
        }
        let (table, name) = column == "chunk" ? ("chunks", "data") : ("entries", column)
        let bytes = try Data.fetchOne(db, sql: "SELECT \(name) FROM \(table)")
        var changed = try #require(bytes)
        changed[changed.count - 3] ^= 1
        try db.execute(sql: "UPDATE \(table) SET \(name) = ?", arguments: [changed])
      }
      let storage = folder.storage()
      #expect(await storage.entries(for: sample.key).isEmpty)
      #expect(folder.problems.map(\.kind) == [.damaged])
    }
  }

  @Test func oneCopyIsKept() async throws {
    try await withFolder { folder in
      for round in 0..<3 {
        for suffix in ["", "-wal", "-shm"] { unlink(folder.file.path + suffix) }
        try Data("no database \(round)".utf8).write(to: folder.file)
        #expect(await Self.samples[0].store(in: folder.storage()) != nil)
      }
      #expect(folder.problems.count == 3)
      let copies = folder.names.filter { $0.contains("damaged") }
      #expect(copies.count == 1)
      let copy = try #require(folder.problems.last?.copy)
      #expect(try Data(contentsOf: copy) == Data("no database 2".utf8))
      // It has what users may have stored.
      await folder.storage().removeAll(of: "ann")
      #expect(!folder.names.contains { $0.contains("damaged") })
    }
  }

  @Test func unusablePathStoresNothingAndIsReportedOnce() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
      try Data().write(to: folder.url.appending(path: "file"))
      for path in ["cache.sqlite", "file/cache.sqlite"] {
        let storage = folder.storage(at: path)
        for _ in 0..<3 {
          #expect(await storage.entries(for: Self.samples[0].key).isEmpty)
          #expect(await Self.samples[0].store(in: storage) == nil)
          #expect(await Self.samples[3].store(in: storage) == nil)
          await storage.update(Self.samples[0].response, for: Self.samples[0].key)
          await storage.removeAll(of: nil)
          #expect(await storage.contents().isEmpty)
        }
      }
      #expect(folder.problems.map(\.kind) == [.unusable, .unusable])
      #expect(
        folder.problems.first?.description.hasSuffix("(it is a folder); nothing is stored.") == true
      )
      #expect(folder.names == ["cache.sqlite", "cache.sqlite-lock", "file"])
    }
  }

  #if os(macOS) || os(Linux)
    @Test func damageIsHandledWhileTheFileIsOpen() async throws {
      for size in [8192, 5] {
        try await withFolder { folder in
          let storage = folder.storage()
          for sample in Self.samples { await sample.store(in: storage) }
          // Into the file, so that what follows is read.
          try await folder.emptyLog()
          let copy = folder.url.appending(path: "copy")
          try await folder.overwrite(copy, with: folder.file)
          var bytes = try Data(contentsOf: copy)
          for page in stride(from: 8192, to: bytes.count, by: 8192) {
            bytes.replaceSubrange(page..<page + size, with: Data(repeating: 0xA5, count: size))
          }
          try bytes.write(to: copy)
          try await folder.overwrite(folder.file, with: copy)
          // What it has in memory is right; another one reads the file.
          let other = folder.storage()
          try await check(other, "\(size)")
          try await check(storage, "\(size)")
          #expect(folder.problems.map(\.kind) == [.damaged], "\(size): \(folder.problems)")
          #expect(await storage.names() == other.names())
        }
      }
    }

  #endif

  @Test func deletedFileIsCreatedAnew() async throws {
    try await withFolder { folder in
      let storage = folder.storage()
      for sample in Self.samples { await sample.store(in: storage) }
      try FileManager.default.removeItem(at: folder.file)
      #expect(await storage.contents().isEmpty)
      try await check(storage, "")
      let other = folder.storage()
      #expect(await storage.names() == other.names())
      try FileManager.default.removeItem(at: folder.url)
      try await check(storage, "")
      #expect(folder.problems.isEmpty)
    }
  }

  @Test func twoThatSeeTheDamageKeepTheNewFile() async throws {
    for round in 0..<5 {
      try await withFolder { folder in
        _ = try await fill(folder)
        let storages = (0..<4).map { _ in folder.storage() }
        for storage in storages { #expect(await storage.contents().count == 12) }
        let pool = try folder.pool()
        try await pool.write { try $0.execute(sql: "UPDATE entries SET sum = sum + 1") }
        await withTaskGroup(of: Void.self) { group in
          for (index, storage) in storages.enumerated() {
            group.addTask {
              // Finds the damage, then stores.
              _ = await storage.entries(for: Self.samples[0].key)
              _ = await SampleResponse("new \(index)").store(in: storage)
            }
          }
        }
        #expect(folder.problems.map(\.kind) == [.damaged], "\(round)")
        for storage in storages {
          #expect(await storage.names().sorted() == ["new 0", "new 1", "new 2", "new 3"])
        }
      }
    }
  }

  @Test func damagedChunkOfALargeBodyIsLostAndReported() async throws {
    try await withFolder { folder in
      let storage = folder.storage()
      let sample = SampleResponse("a", size: 3_000_000)
      await sample.store(in: storage)
      let entry = try #require(await storage.entries(for: sample.key).first)
      let pool = try folder.pool()
      try await pool.write { db in
        let last = try Data.fetchOne(db, sql: "SELECT data FROM chunks ORDER BY n DESC LIMIT 1")
        var changed = try #require(last)
        changed[100] ^= 1
        try db.execute(
          sql: "UPDATE chunks SET data = ? WHERE n = (SELECT max(n) FROM chunks)",
          arguments: [changed])
      }
      var failure: (any Error)?
      do { _ = try await entry.body.collect(upTo: .max) } catch { failure = error }
      #expect((failure as? Client.TransportFailure)?.kind == .lost)
      #expect(await storage.entries(for: sample.key).isEmpty)
      #expect(folder.problems.map(\.kind) == [.damaged])
    }
  }

  @Test func timeOfUseMayBeAnyNumber() async throws {
    try await withFolder { folder in
      let storage = folder.storage()
      let sample = SampleResponse("a", size: 100)
      await sample.store(in: storage)
      let pool = try DatabasePool(path: folder.file.path)
      // No checksum covers it, because each use changes it.
      for time in [Int64.min, .max, 0] {
        try await pool.write {
          try $0.execute(sql: "UPDATE entries SET used = ?", arguments: [time])
        }
        try await expectWhole(storage, sample.key, "\(time)")
        #expect(await storage.entries(for: sample.key).count == 1)
      }
      #expect(folder.problems.isEmpty)
    }
  }

  /// `CURLEW_FUZZ=1000000` tries as many, `CURLEW_SEED` others.
  @Test func randomDamageShowsNothingWrong() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let source = Folder()
    try FileManager.default.createDirectory(at: source.url, withIntermediateDirectories: true)
    let (file, log) = try await fill(source)
    let closed = try await closedFile()
    for round in 0..<Fuzz.runs(40, of: 500) {
      try await withFolder { folder in
        var (bytes, extra) = random.chance(oneIn: 2) ? (closed, Data()) : (file, log)
        if !extra.isEmpty, random.chance(oneIn: 2) {
          Self.damage(&extra, &random)
        } else {
          Self.damage(&bytes, &random)
        }
        try bytes.write(to: folder.file)
        if !extra.isEmpty { try extra.write(to: folder.url.appending(path: "cache.sqlite-wal")) }
        try await check(folder.storage(), "round \(round)")
        try await check(folder.storage(), "round \(round), again")
        #expect(folder.problems.allSatisfy { [.damaged, .newer].contains($0.kind) }, "\(round)")
      }
    }
  }

  private static func damage(_ bytes: inout Data, _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    switch random.pick(0...5) {
    case 0: bytes = bytes.prefix(random.pick(0...bytes.count))
    case 1:
      let start = random.pick(0...bytes.count - 1)
      let count = min(random.pick(1...20_000), bytes.count - start)
      bytes.replaceSubrange(start..<start + count, with: Data(count: count))
    case 2: bytes[random.pick(0...min(99, bytes.count - 1))] ^= UInt8(1 << random.pick(0...7))
    case 3:
      // One page instead of another.
      let pages = max(1, bytes.count / 8192)
      let (from, to) = (random.pick(0...pages - 1) * 8192, random.pick(0...pages - 1) * 8192)
      let page = Data(bytes.dropFirst(from).prefix(8192))
      bytes.replaceSubrange(to..<min(bytes.count, to + page.count), with: page)
    default:
      for _ in 0..<random.pick(1...50) {
        bytes[random.pick(0...bytes.count - 1)] = UInt8(random.pick(0...255))
      }
    }
  }
}
