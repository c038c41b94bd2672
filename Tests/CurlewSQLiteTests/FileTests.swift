import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import TestSupport
import Testing
import cache_process

/// Tests the file of a cache.
@Suite(.timeLimit(.minutes(2)))
struct FileTests {
  @Test func `stored responses survive a restart`() async throws {
    let folder = try Folder()
    let samples = [100, 90_000, 2_000_000].map {
      SampleResponse("\($0)", account: "ann", size: $0)
    }
    for sample in samples { await sample.store(in: folder.storage()) }
    let storage = folder.storage()
    for sample in samples {
      #expect(await storage.entries(for: sample.key).count == 1)
      try await expectWhole(storage, sample.key)
    }
    #expect(await storage.names() == ["2000000", "90000", "100"])
    #expect(folder.problems.isEmpty)
  }

  @Test func `creating a storage creates no file`() async throws {
    let folder = try Folder()
    let storage = folder.storage(at: "new/folder/cache.sqlite")
    #expect(folder.names == [])
    #expect(await storage.entries(for: SampleResponse("a").key).isEmpty)
    #expect(folder.names == ["new"])
  }

  @Test func `only the owner can read the files`() async throws {
    let folder = try Folder()
    let storage = folder.storage(at: "new/folder/cache.sqlite")
    await SampleResponse("a").store(in: storage)
    func permissions(_ name: String) throws -> Int? {
      let path = folder.url.appending(path: name).path
      return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions("new") == 0o700)
    #expect(try permissions("new/folder") == 0o700)
    for suffix in ["", "-wal", "-shm", "-lock"] {
      #expect(try permissions("new/folder/cache.sqlite\(suffix)") == 0o600)
    }
    // Also for existing files.
    let old = folder.url.appending(path: "old.sqlite")
    for suffix in ["", "-wal", "-shm"] {
      try Data().write(to: folder.url.appending(path: "old.sqlite\(suffix)"))
      chmod(old.path + suffix, 0o666)
    }
    let other = folder.storage(at: "old.sqlite")
    await SampleResponse("a").store(in: other)
    for suffix in ["", "-wal", "-shm"] {
      #expect(try permissions("old.sqlite\(suffix)") == 0o600)
    }
    #expect(await other.names() == ["a"])
  }

  @Test func `file stays within its size`() async throws {
    let folder = try Folder()
    let limit = 2_000_000
    do {
      let storage = folder.storage(bytes: limit)
      var random = SeededGenerator(seed: Fuzz.seed())
      for index in 0..<Fuzz.size(150, full: 5000) {
        let size = random.chance(oneIn: 3) ? random.pick(0...240_000) : random.pick(0...5000)
        let sample = SampleResponse("\(index)", seed: UInt64(index), size: size)
        #expect(await sample.store(in: storage) != nil)
      }
      #expect(await storage.contents().count > 5)
    }
    try await folder.emptyLog()
    #expect((limit / 2...limit * 9 / 8).contains(folder.size()), "\(folder.size())")
    // A smaller limit shrinks the same file, and an empty cache has a small file.
    let storage = folder.storage(bytes: limit / 4)
    await SampleResponse("last").store(in: storage)
    await storage.removeAll()
    #expect(folder.size() < 100_000, "\(folder.size())")
  }

  @Test func `purged bytes are not in the file`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", account: "ann", seed: 5, size: 200_000)
    await sample.store(in: storage)
    await SampleResponse("secret-of-ann", account: "ann", seed: 6).store(in: storage)
    await SampleResponse("b", seed: 7, size: 200_000).store(in: storage)
    await storage.removeAll(of: "ann")
    let parts = [sample.body.prefix(5000).suffix(500), Data("secret-of-ann".utf8)]
    for name in folder.names where !name.hasSuffix("-shm") {
      let bytes = try Data(contentsOf: folder.url.appending(path: name))
      for part in parts { #expect(bytes.range(of: part) == nil, "\(name)") }
    }
    #expect(await storage.names() == ["b"])
    try await expectWhole(storage, SampleResponse("b").key)
  }

  @Test func `a removed body stays with its reader`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", size: 3_000_000)
    await sample.store(in: storage)
    let entry = try #require(await storage.entries(for: sample.key).first)
    await storage.removeAll()
    #expect(try await entry.body.collect(upTo: .max) == sample.body)
    #expect(folder.problems.isEmpty)
  }

  @Test func `cancelled task still removes`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", account: "ann")
    await sample.store(in: storage)
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await storage.removeAll(of: "ann")
    }.value
    #expect(await storage.contents().isEmpty)
  }

  @MainActor
  @Test func `storage can be used from the main actor`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", size: 2_000_000)
    await sample.store(in: storage)
    try await expectWhole(storage, sample.key)
  }

  @Test func `storages of one file see the same`() async throws {
    let folder = try Folder()
    let (one, two) = (folder.storage(), folder.storage())
    let sample = SampleResponse("a", size: 90_000)
    let stored = try #require(await sample.store(in: one))
    try await expectWhole(two, sample.key)
    #expect(await two.entries(for: sample.key).map(\.response) == [stored])
    await two.removeAll(at: sample.key.url)
    #expect(await one.entries(for: sample.key).isEmpty)
  }
}
