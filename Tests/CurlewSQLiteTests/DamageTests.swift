import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing
import cache_process

/// Tests damaged and unusable files.
@Suite(.timeLimit(.minutes(30)))
struct DamageTests {
  private static let samples = (0..<12).map { index in
    SampleResponse("\(index)", seed: UInt64(index), size: [50, 3000, 20_000, 150_000][index % 4])
  }

  /// Stores responses, some of which are still in the log; returns the bytes of the file and the log.
  private func fill(_ folder: Folder) async throws -> (file: Data, log: Data) {
    let storage = folder.storage()
    for sample in Self.samples { await sample.store(in: storage) }
    // As left behind by a killed process.
    let (file, log) = (
      try Data(contentsOf: folder.file),
      try Data(contentsOf: folder.url.appending(path: "cache.sqlite-wal"))
    )
    #expect(await storage.contents().count == Self.samples.count)
    return (file, log)
  }

  /// Returns the bytes of a file without a log.
  private func closedFile() async throws -> Data {
    let folder = try Folder()
    _ = try await fill(folder)
    try await folder.emptyLog()
    return try Data(contentsOf: folder.file)
  }

  /// Checks that only correct responses are served, and, if required, that the storage works.
  private func check(
    _ storage: any CacheStorage, _ what: String, works: Bool = true
  ) async throws {
    for sample in Self.samples {
      do {
        try await expectWhole(storage, sample.key, "\(what)")
      } catch let failure as Client.TransportFailure {
        // A damaged body is noticed when it is read.
        #expect(failure.kind == .lost, "\(what)")
      }
    }
    _ = await storage.contents()
    // After damage is detected, the first response may not be stored.
    for _ in 0..<3 {
      guard await Self.samples[3].store(in: storage) == nil else { break }
    }
    let entries = await storage.entries(for: Self.samples[3].key)
    #expect(!works || !entries.isEmpty, "\(what)")
    try await expectWhole(storage, Self.samples[3].key, "\(what)")
  }

  @Test func `damaged file is deleted and reported once`() async throws {
    let valid = try await closedFile()
    let contents: [Data] = [
      Data(count: 50_000), valid.prefix(100), valid.prefix(100) + Data(count: 50_000),
      valid.prefix(5000) + Data(repeating: 7, count: 100_000),
    ]
    for content in contents {
      let folder = try Folder()
      try content.write(to: folder.file)
      try await check(folder.storage(), "\(content)")
      try await check(folder.storage(), "\(content)")
      #expect(folder.problems.map(\.kind) == [.discarded])
      let text = "\(try #require(folder.problems.first))"
      #expect(text.hasSuffix("; it was deleted and replaced by a new file."))
    }
  }

  /// The path may be another file of the user.
  @Test func `file that is no cache is left alone and reported`() async throws {
    let valid = try await closedFile()
    let contents: [Data] = [
      Data("no database".utf8), Data(repeating: 7, count: 100_000), Data(count: 5000) + valid,
      valid.prefix(16) + Data(count: 50_000), Data("other format 3\0\0".utf8) + valid.dropFirst(16),
      valid.prefix(68) + Data("Mine".utf8) + valid.dropFirst(72),
    ]
    for content in contents {
      let folder = try Folder()
      try content.write(to: folder.file)
      for _ in 0..<2 {
        let storage = folder.storage()
        #expect(await Self.samples[0].store(in: storage) == nil)
        #expect(await storage.entries(for: Self.samples[0].key).isEmpty)
        await storage.remove([Self.samples[0].response.id], for: Self.samples[0].key)
        await storage.removeAll()
        #expect(await Self.samples[0].store(in: storage) == nil)
      }
      #expect(folder.problems.map(\.kind) == [.unusable, .unusable])
      #expect(try Data(contentsOf: folder.file) == content)
    }
  }

  @Test func `database of another program is left alone`() async throws {
    let folder = try Folder()
    do {
      let other = try DatabaseQueue(path: folder.file.path)
      try await other.write { try $0.execute(sql: "CREATE TABLE x (y); PRAGMA user_version = 3") }
    }
    let bytes = try Data(contentsOf: folder.file)
    let storage = folder.storage()
    #expect(await Self.samples[0].store(in: storage) == nil)
    #expect(folder.problems.map(\.kind) == [.unusable])
    #expect(try Data(contentsOf: folder.file) == bytes)
  }

  /// An older or newer version of the library has its file open.
  @Test(arguments: [3, 5])
  func `file of another version is deleted with its log`(version: Int) async throws {
    let folder = try Folder()
    _ = try await fill(folder)
    let other = try folder.pool()
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
    let storage = folder.storage()
    #expect(await storage.contents().isEmpty)
    #expect(folder.problems.map(\.kind) == [.discarded])
    try await check(storage, "")
    // The pool's open connection keeps the deleted file; its new connections would open the new file.
    let count = try await other.writeWithoutTransaction {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM entries")
    }
    #expect(count == Self.samples.count)
  }

  @Test(arguments: ["head", "body", "data", "size"])
  func `changed byte is noticed`(column: String) async throws {
    let folder = try Folder()
    let sample = SampleResponse("a", size: column == "data" ? 3_000_000 : 3000)
    await sample.store(in: folder.storage())
    if column == "size" {
      try await folder.pool().write { try $0.execute(sql: "UPDATE entries SET size = size - 1") }
    } else {
      try await folder.damage(column, of: column == "data" ? "chunks" : "entries")
    }
    let storage = folder.storage()
    let entries = await storage.entries(for: sample.key)
    #expect(entries.isEmpty == (column != "data"))
    for entry in entries {
      await #expect(throws: Client.TransportFailure.self) {
        try await entry.body.collect(upTo: .max)
      }
    }
    #expect(folder.problems.map(\.kind) == [.discarded])
    #expect(await storage.entries(for: sample.key).isEmpty)
  }

  @Test func `unusable path stores nothing and is reported once`() async throws {
    let folder = try Folder()
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
    let problem = folder.problems.first?.description
    #expect(problem?.hasSuffix("(it is a folder); responses are not stored.") == true)
    #expect(folder.names == ["cache.sqlite", "cache.sqlite-lock", "file"])
  }

  #if os(macOS) || os(Linux)
    @Test func `damage is handled while the file is open`() async throws {
      for size in [8192, 5] {
        let folder = try Folder()
        let storage = folder.storage()
        for sample in Self.samples { await sample.store(in: storage) }
        // Moves the log into the file, so that the damage is read.
        try await folder.emptyLog()
        let copy = folder.url.appending(path: "copy")
        try await folder.overwrite(copy, with: folder.file)
        var bytes = try Data(contentsOf: copy)
        for page in stride(from: 8192, to: bytes.count, by: 8192) {
          bytes.replaceSubrange(page..<page + size, with: Data(repeating: 0xA5, count: size))
        }
        try bytes.write(to: copy)
        try await folder.overwrite(folder.file, with: copy)
        // The storage has intact pages in memory; another storage reads the file.
        let other = folder.storage()
        try await check(other, "\(size)")
        try await check(storage, "\(size)")
        #expect(folder.problems.map(\.kind) == [.discarded], "\(size): \(folder.problems)")
        #expect(await storage.names() == other.names())
      }
    }

    /// Another program may overwrite the file while the cache is in use.
    @Test func `file that is overwritten is left alone`() async throws {
      let folder = try Folder()
      let storage = folder.storage()
      _ = await Self.samples[3].store(in: storage)
      try await folder.emptyLog()
      let (mine, copy) = (Data(repeating: 7, count: 100_000), folder.url.appending(path: "copy"))
      try mine.write(to: copy)
      try await folder.overwrite(folder.file, with: copy)
      let other = folder.storage()
      #expect(await other.contents().isEmpty)
      await other.removeAll()
      #expect(folder.problems.map(\.kind) == [.unusable])
      #expect(try Data(contentsOf: folder.file) == mine)
      // Keeps the storage in use until here.
      withExtendedLifetime(storage) {}
    }
  #endif

  @Test func `deleted file is created anew`() async throws {
    let folder = try Folder()
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

  @Test func `two that see the damage keep the new file`() async throws {
    for round in 0..<5 {
      let folder = try Folder()
      _ = try await fill(folder)
      let storages = (0..<4).map { _ in folder.storage() }
      for storage in storages { #expect(await storage.contents().count == 12) }
      let pool = try folder.pool()
      try await pool.write { try $0.execute(sql: "UPDATE entries SET sum = sum + 1") }
      await withTaskGroup(of: Void.self) { group in
        for (index, storage) in storages.enumerated() {
          group.addTask {
            // Detects the damage, then stores.
            _ = await storage.entries(for: Self.samples[0].key)
            _ = await SampleResponse("new \(index)").store(in: storage)
          }
        }
      }
      #expect(folder.problems.map(\.kind) == [.discarded], "\(round)")
      // Waits for the responses that another storage delayed.
      for storage in storages { _ = await storage.contents() }
      for storage in storages {
        #expect(await storage.names().sorted() == ["new 0", "new 1", "new 2", "new 3"])
      }
    }
  }

  @Test func `time of use may be any number`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", size: 100)
    await sample.store(in: storage)
    let pool = try DatabasePool(path: folder.file.path)
    // The checksum doesn't cover this column, because each use changes it.
    for time in [Int64.min, .max, 0] {
      try await pool.write {
        try $0.execute(sql: "UPDATE entries SET used = ?", arguments: [time])
      }
      try await expectWhole(storage, sample.key, "\(time)")
      #expect(await storage.entries(for: sample.key).count == 1)
    }
    #expect(folder.problems.isEmpty)
  }

  /// `CURLEW_FUZZ=1000000` sets the number of runs, `CURLEW_SEED` the seed.
  @Test func `random damage shows nothing wrong`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let source = try Folder()
    let (file, log) = try await fill(source)
    let closed = try await closedFile()
    for round in 0..<Fuzz.runs(40, of: 500) {
      let folder = try Folder()
      var (bytes, extra) = random.chance(oneIn: 2) ? (closed, Data()) : (file, log)
      if !extra.isEmpty, random.chance(oneIn: 2) {
        Self.damage(&extra, &random)
      } else {
        Self.damage(&bytes, &random)
      }
      try bytes.write(to: folder.file)
      if !extra.isEmpty { try extra.write(to: folder.url.appending(path: "cache.sqlite-wal")) }
      let isKnown = Self.isKnown(bytes)
      for _ in 0..<2 {
        try await check(folder.storage(), "round \(round)", works: isKnown)
      }
      let kinds = Set(folder.problems.map(\.kind))
      // The log may have the data that is missing in the file.
      #expect(kinds.isSubset(of: isKnown ? [.discarded] : [.discarded, .unusable]), "\(round)")
      if extra.isEmpty, !isKnown {
        #expect(try Data(contentsOf: folder.file) == bytes, "\(round)")
      }
    }
  }

  /// Returns whether a file may be deleted, according to its header.
  private static func isKnown(_ bytes: Data) -> Bool {
    bytes.allSatisfy { $0 == 0 }
      || bytes.starts(with: "SQLite format 3\0".utf8)
        && bytes.dropFirst(68).prefix(4).elementsEqual("Crlw".utf8)
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
      // Replaces a page by another page.
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
