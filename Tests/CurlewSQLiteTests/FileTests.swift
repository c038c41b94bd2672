import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import HTTPTypes
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

  /// As `CacheEntry` says; the cache then sends the request.
  @Test func `a body that is removed before it is read is lost`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let sample = SampleResponse("a", size: 3_000_000)
    await sample.store(in: storage)
    let entry = try #require(await storage.entries(for: sample.key).first)
    await storage.removeAll()
    let failure = await #expect(throws: Client.TransportFailure.self) {
      try await entry.body.collect(upTo: .max)
    }
    #expect(failure?.kind == .lost)
    #expect(folder.problems.isEmpty)
  }

  /// A clock that was ahead when the file was filled, by the given number of seconds.
  @Test(arguments: [1.0, 3600, 86_400, 365 * 86_400, 1e15, .infinity])
  func `new responses stay after the clock was ahead`(lead: Double) async throws {
    let (folder, date) = (try Folder(), TestDate())
    let storage = SQLiteCacheStorage(at: folder.file, bytes: 1_000_000, now: { date.now })
    let start = date.now
    date.advance(by: lead)
    for index in 0..<30 { await SampleResponse("old \(index)", size: 60_000).store(in: storage) }
    date.advance(by: start.timeIntervalSince(date.now))
    let isBack = date.now == start
    let last = isBack ? date : TestDate(start)
    let next = SQLiteCacheStorage(at: folder.file, bytes: 1_000_000, now: { last.now })
    for index in 0..<10 {
      last.advance(by: 0.01)
      #expect(await SampleResponse("new \(index)", size: 60_000).store(in: next) != nil)
    }
    let names = await next.names()
    #expect(names.filter { $0.hasPrefix("new") } == (0..<10).reversed().map { "new \($0)" })
    #expect(folder.problems.isEmpty)
  }

  /// Of several variants, a hit reads the body that it serves: another may even be damaged.
  @Test func `hit reads no other body`() async throws {
    let folder = try Folder()
    let (stub, cache) = (StubTransport(), ResponseCache(folder.storage()))
    let client = Client.stubbed(by: stub) { $0.cache = cache }
    func request(_ language: String) -> Request<Data> {
      .get("/a", headerFields: [.acceptLanguage: language])
    }
    let fields: HTTPFields = [
      .cacheControl: "max-age=600", .vary: "Accept-Language", .eTag: "\"1\"",
    ]
    for (language, size) in [("en", 300_000), ("de", 20_000), ("vi", 900_000)] {
      let body = Data(repeating: language.utf8.first ?? 0, count: size)
      stub.stub(.get, "/a", with: .sample(Sample(headerFields: fields, body: body)))
      _ = try await client.send(request(language))
    }
    // The body in Vietnamese.
    try await folder.damage("data", of: "chunks")
    for (language, size) in [("en", 300_000), ("de", 20_000)] {
      #expect(try await client.send(request(language)).count == size)
    }
    // A 304 and a response to `HEAD` have no body.
    let current: HTTPFields = [.acceptLanguage: "vi", .ifNoneMatch: "\"1\""]
    let response = try? await client.response(
      for: Request<Void>(.get, "/a", headerFields: current, decoding: .discarded))
    #expect(response == nil || response?.cacheStatus?.isHit == true)
    #expect(stub.requests.count == 3)
    #expect(folder.problems.isEmpty)
    #expect(try await client.send(request("vi")).count == 900_000)
    #expect(folder.problems.map(\.kind) == [.discarded])
    #expect(stub.requests.count == 4)
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
