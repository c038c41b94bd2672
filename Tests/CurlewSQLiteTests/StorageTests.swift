import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import cache_process

@testable import Curlew

/// Tests the requirements of all cache storages.
@Suite(.timeLimit(.minutes(2)))
struct StorageTests {
  @Test(arguments: Backend.allCases)
  func `heads come back as they were`(backend: Backend) async throws {
    let storage = try backend.storage()
    var fields = HTTPFields()
    let odd: [(String, String)] = [
      ("X-One", "1"), ("x-one", "2"), ("Link", "a"), ("X-One", ""), ("Set-Thing", "naïve 日本 😀"),
      ("link", "b, c"), ("!#$%&'*+-.^_`|~9", "\t tab\tinside"),
    ]
    for (name, value) in odd {
      fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    let latin: [UInt8] = [0x63, 0x61, 0x66, 0xE9, 0xFF]
    fields.append(HTTPField(name: .server, lenientValue: latin))
    let key = CacheKey(account: "Zoë 🐦", url: "https://api.example/ä?q=%20&x=\u{0}'\"--")
    for (reason, time) in [("", 0.1), ("Très bien", -63_113_904_000.000_001), ("OK", 8e8 / 3)] {
      let response = StoredResponse(
        variant: ["accept": "*/*", "accept-language": "", "x-ä": "日本"],
        head: HTTPResponse(
          status: .init(code: 203, reasonPhrase: reason), headerFields: fields),
        requestTime: Date(timeIntervalSince1970: time),
        responseTime: Date(timeIntervalSinceReferenceDate: time.nextUp), bodySize: 0,
        isDecoded: !reason.isEmpty)
      await storage.removeAll(at: key.url)
      let writer = try #require(await storage.store(response, for: key, replacing: []))
      #expect(await writer.finish())
      let entry = try #require(await storage.entries(for: key).first)
      #expect(entry.response == response)
      #expect(entry.response.head.status.reasonPhrase == response.head.status.reasonPhrase)
      #expect(entry.response.head.headerFields.map(\.name.rawName) == fields.map(\.name.rawName))
      let server = entry.response.head.headerFields.last?.withUnsafeBytesOfValue { Array($0) }
      #expect(server == latin)
      let contents = await storage.contents()
      #expect(contents.map(\.key) == [key])
      #expect(contents.map(\.response) == [response])
    }
  }

  @Test(arguments: Backend.allCases)
  func `bodies of all sizes come back`(backend: Backend) async throws {
    let (kibi, mebi) = (1 << 10, 1 << 20)
    let sizes = [
      0, 1, 8 * kibi - 1, 8 * kibi, 8 * kibi + 1, 64 * kibi - 1, 64 * kibi, 64 * kibi + 1, mebi - 1,
      mebi, mebi + 1, 5_000_000,
    ]
    let storage = try backend.storage()
    for size in sizes {
      for chunk in [Int.max, 100_001] {
        let sample = SampleResponse("\(size)", seed: UInt64(size), size: size)
        // The size is unknown in advance.
        var response = sample.response
        response.bodySize = -1
        let writer = try #require(await storage.store(response, for: sample.key, replacing: []))
        var rest = sample.body
        while !rest.isEmpty {
          #expect(await writer.append(Data(rest.prefix(chunk))))
          rest = rest.dropFirst(chunk)
        }
        #expect(await writer.finish())
      }
      let sample = SampleResponse("\(size)")
      #expect(await storage.entries(for: sample.key).count == 2)
      try await expectWhole(storage, sample.key)
    }
  }

  @Test(arguments: Backend.allCases)
  func `accounts and URLs share nothing`(backend: Backend) async throws {
    let storage = try backend.storage()
    let accounts = [nil, "", "ann", "bob"]
    for account in accounts {
      for name in ["a", "b"] { await SampleResponse(name, account: account).store(in: storage) }
    }
    for account in accounts {
      let key = SampleResponse("a", account: account).key
      #expect(await storage.entries(for: key).count == 1)
      try await expectWhole(storage, key)
    }
    #expect(await storage.entries(for: SampleResponse("a", account: "Ann").key).isEmpty)
    await storage.removeAll(of: "ann")
    await storage.removeAll(of: nil)
    let left = await storage.contents().compactMap { $0.key.account }
    #expect(left.sorted() == ["", "", "bob", "bob"])
  }

  /// Texts that `String` takes for equal (Unicode Standard Annex #15) are different accounts and URLs.
  @Test(arguments: Backend.allCases)
  func `accounts and URLs are compared by bytes`(backend: Backend) async throws {
    let pairs = [
      ("jos\u{e9}", "jose\u{301}"), ("K", "\u{212a}"), ("\u{c5}", "\u{212b}"), (";", "\u{37e}"),
      ("\u{ac00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]
    for (one, other) in pairs {
      let storage = try backend.storage()
      let samples = [one, other].map { SampleResponse("a", account: $0) }
      let urls = [one, other].map { SampleResponse($0) }
      for sample in samples + urls { await sample.store(in: storage) }
      for sample in samples + urls {
        #expect(await storage.entries(for: sample.key).count == 1)
        let contents = await storage.contents(at: sample.key.url, andBelow: false)
        #expect(contents.contains { $0.key == sample.key })
      }
      await storage.removeAll(of: one)
      #expect(await storage.entries(for: samples[0].key).isEmpty)
      #expect(await storage.entries(for: samples[1].key).count == 1)
      await storage.removeAll(at: urls[0].key.url)
      #expect(await storage.entries(for: urls[0].key).isEmpty)
      #expect(await storage.entries(for: urls[1].key).count == 1)
    }
  }

  @Test(arguments: Backend.allCases)
  func `contents below a URL begin with the latest use`(backend: Backend) async throws {
    let storage = try backend.storage()
    let names = [
      "stars", "stars?page=2", "stars/apple", "stars/apple?x", "starships", "star", "stars&x",
      "stars%",
      "stars\u{e9}", "stars/\u{10ffff}",
    ]
    for name in names { await SampleResponse(name).store(in: storage) }
    await SampleResponse("stars", account: "ann").store(in: storage)
    func contents(_ name: String, below: Bool) async -> [String] {
      let url = SampleResponse(name).key.url
      return await storage.contents(at: url, andBelow: below).map {
        String($0.key.url.dropFirst("https://api.example/".count))
      }
    }
    #expect(await contents("stars", below: false) == ["stars", "stars"])
    #expect(await contents("none", below: false) == [])
    #expect(await contents("stars/apple", below: true) == ["stars/apple?x", "stars/apple"])
    #expect(
      await contents("stars", below: true) == [
        "stars", "stars/\u{10ffff}", "stars&x", "stars/apple?x", "stars/apple", "stars?page=2",
        "stars",
      ])
    #expect(await contents("", below: true).count == names.count + 1)
    _ = await storage.entries(for: SampleResponse("stars/apple").key)
    #expect(await contents("stars/apple", below: true) == ["stars/apple", "stars/apple?x"])
    await storage.removeAll(at: SampleResponse("stars").key.url)
    #expect(await contents("stars", below: false) == [])
    #expect(await contents("stars", below: true).count == 5)
  }

  /// `CURLEW_FUZZ=1000000` measures the marking of a URL among 100,000, and the same by reading all heads.
  @Test(arguments: Backend.allCases)
  func `a URL is marked without reading the others`(backend: Backend) async throws {
    let count = Fuzz.size(200, full: 100_000)
    let storage = try backend.storage(bytes: 1 << 30)
    for index in 0..<count {
      await SampleResponse("list/\(index)", seed: UInt64(index)).store(in: storage)
    }
    let names = ["list/7", "list/77?page=1"]
    await SampleResponse(names[1]).store(in: storage)
    let (indexed, other) = (ResponseCache(storage), ResponseCache(Unindexed(storage: storage)))
    for (cache, name) in [(other, "all heads"), (indexed, "index")] {
      let one = await ContinuousClock().measure {
        await cache.invalidate(SampleResponse("list/7").key.url)
      }
      let below = await ContinuousClock().measure {
        await cache.invalidate(SampleResponse("list/77").key.url, andBelow: true)
      }
      if count > 200 {
        print("\(backend), \(count) entries, \(name): a URL \(one), below \(below)")
      }
    }
    let outdated = await storage.contents().filter(\.response.isOutdated).map(\.key.url)
    let expected = (names + ["list/77"]).map { SampleResponse($0).key.url }
    #expect(outdated.sorted() == expected.sorted())
  }

  /// A storage without an index of URLs.
  private struct Unindexed: CacheStorage {
    let storage: any CacheStorage

    func entries(for key: CacheKey) async -> [CacheEntry] { await storage.entries(for: key) }
    func store(
      _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
    ) async -> (any CacheWriter)? {
      await storage.store(response, for: key, replacing: replaced)
    }
    func update(_ response: StoredResponse, for key: CacheKey) async {
      await storage.update(response, for: key)
    }
    func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
      await storage.remove(ids, for: key)
    }
    func removeAll(at url: String) async { await storage.removeAll(at: url) }
    func removeAll(of account: String?) async { await storage.removeAll(of: account) }
    func removeAll() async { await storage.removeAll() }
    func contents() async -> [(key: CacheKey, response: StoredResponse)] {
      await storage.contents()
    }
  }

  @Test(arguments: Backend.allCases)
  func `new response replaces old ones when it is complete`(backend: Backend) async throws {
    let storage = try backend.storage()
    let (sample, other) = (SampleResponse("a", size: 100_000), SampleResponse("b"))
    let old = try #require(await sample.store(in: storage))
    let kept = try #require(await sample.store(in: storage))
    let elsewhere = try #require(await other.store(in: storage))
    let new = sample.response
    let writer = try #require(
      await storage.store(new, for: sample.key, replacing: [old.id, elsewhere.id]))
    #expect(await writer.append(sample.body))
    let before = await storage.entries(for: sample.key).map(\.response.id)
    #expect(Set(before) == [old.id, kept.id])
    #expect(await writer.finish())
    let after = await storage.entries(for: sample.key).map(\.response.id)
    #expect(Set(after) == [kept.id, new.id])
    // This entry is under another key.
    #expect(await storage.entries(for: other.key).count == 1)
  }

  @Test(arguments: Backend.allCases)
  func `updates replace heads and keep bodies`(backend: Backend) async throws {
    let storage = try backend.storage()
    for size in [100, 100_000] {
      let sample = SampleResponse("\(size)", size: size)
      var response = try #require(await sample.store(in: storage))
      response.head.headerFields[.age] = "7"
      response.variant = ["accept": "x"]
      response.responseTime += 0.1
      response.bodySize = 0
      await storage.update(response, for: SampleResponse("else").key)
      let unchanged = try #require(await storage.entries(for: sample.key).first)
      #expect(unchanged.response != response)
      await storage.update(response, for: sample.key)
      let entry = try #require(await storage.entries(for: sample.key).first)
      response.bodySize = Int64(size)
      #expect(entry.response == response)
      try await expectWhole(storage, sample.key)
      await storage.remove([response.id], for: sample.key)
      await storage.update(response, for: sample.key)
      #expect(await storage.contents().isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `removing takes what is named`(backend: Backend) async throws {
    let storage = try backend.storage()
    let (a, b) = (SampleResponse("a", size: 70_000), SampleResponse("b"))
    let first = try #require(await a.store(in: storage))
    let second = try #require(await a.store(in: storage))
    let third = try #require(await b.store(in: storage))
    await storage.remove([first.id, third.id, UUID()], for: a.key)
    #expect(await storage.entries(for: a.key).map(\.response.id) == [second.id])
    #expect(await storage.entries(for: b.key).map(\.response.id) == [third.id])
    await storage.removeAll(at: a.key.url)
    #expect(await storage.names() == ["b"])
    await storage.removeAll()
    #expect(await storage.names() == [])
    #expect(await b.store(in: storage) != nil)
    try await expectWhole(storage, b.key)
  }

  @Test(arguments: Backend.allCases)
  func `contents begin with the latest use`(backend: Backend) async throws {
    let storage = try backend.storage()
    for name in ["a", "b", "c", "d"] { await SampleResponse(name).store(in: storage) }
    _ = await storage.entries(for: SampleResponse("b").key)
    let stored = try #require(await storage.contents().last).response
    await storage.update(stored, for: SampleResponse("a").key)
    #expect(await storage.names() == ["a", "b", "d", "c"])
  }

  @Test(arguments: Backend.allCases)
  func `least recently used go first`(backend: Backend) async throws {
    let storage = try backend.storage(bytes: 1_000_000)
    for index in 0..<8 { await SampleResponse("\(index)", size: 60_000).store(in: storage) }
    _ = await storage.entries(for: SampleResponse("1").key)
    for index in 8..<40 {
      let sample = SampleResponse("\(index)", seed: UInt64(index), size: 60_000)
      #expect(await sample.store(in: storage) != nil)
      try await expectWhole(storage, sample.key)
      _ = await storage.entries(for: SampleResponse("1").key)
    }
    let names = await storage.names()
    #expect(names.first == "1")
    // The newest entries without a gap, about as many as fit.
    let newest = (0..<40).reversed().map { "\($0)" }
    #expect(Array(names.dropFirst()) == Array(newest.prefix(names.count - 1)))
    #expect((11...16).contains(names.count), "\(names.count)")
  }

  @Test(arguments: Backend.allCases)
  func `large responses are not stored`(backend: Backend) async throws {
    let storage = try backend.storage(bytes: 4_000_000)
    await SampleResponse("small").store(in: storage)
    let sample = SampleResponse("large", size: 500_001)
    #expect(await storage.store(sample.response, for: sample.key, replacing: []) == nil)
    var response = sample.response
    response.bodySize = -1
    let writer = try #require(await storage.store(response, for: sample.key, replacing: []))
    var results: [Bool] = []
    for _ in 0..<20 { results.append(await writer.append(sample.body.prefix(50_000))) }
    #expect(results.firstIndex(of: false) == 9)
    #expect(results.last == false)
    #expect(await writer.finish() == false)
    #expect(await storage.names() == ["small"])
    let empty = try backend.storage(bytes: 0)
    #expect(await SampleResponse("a", size: 0).store(in: empty) == nil)
    #expect(await empty.names() == [])
  }

  @Test(arguments: Backend.allCases)
  func `unfinished responses are invisible`(backend: Backend) async throws {
    let storage = try backend.storage()
    for size in [100, 3_000_000] {
      let sample = SampleResponse("a", size: size)
      do {
        let writer = try #require(
          await storage.store(sample.response, for: sample.key, replacing: []))
        #expect(await writer.append(sample.body))
        #expect(await storage.entries(for: sample.key).isEmpty)
        #expect(await storage.contents().isEmpty)
      }
      #expect(await storage.entries(for: sample.key).isEmpty)
    }
  }

  @Test(arguments: Backend.allCases)
  func `purge ends what is being stored`(backend: Backend) async throws {
    let storage = try backend.storage()
    for size in [100, 500_000] {
      for all in [true, false] {
        let sample = SampleResponse("a", account: "ann", size: size)
        let writer = try #require(
          await storage.store(sample.response, for: sample.key, replacing: []))
        #expect(await writer.append(sample.body))
        if all { await storage.removeAll() } else { await storage.removeAll(of: "ann") }
        #expect(await writer.finish() == false)
        #expect(await storage.contents().isEmpty)
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `writers of one key do not meet`(backend: Backend) async throws {
    let storage = try backend.storage()
    let key = SampleResponse("a").key
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<12 {
        group.addTask {
          let size = [100, 90_000, 400_000][index % 3]
          _ = await SampleResponse("a", seed: UInt64(index), size: size)
            .store(in: storage, chunk: 30_000)
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<20 {
            let faults = try? await storage.faults(for: key)
            #expect(faults == [])
          }
        }
      }
    }
    #expect(await storage.entries(for: key).count == 12)
    try await expectWhole(storage, key)
  }

  @Test(arguments: Backend.allCases)
  func `random use finds nothing wrong`(backend: Backend) async throws {
    let storage = try backend.storage(bytes: 3_000_000)
    try await withThrowingTaskGroup(of: String?.self) { group in
      for task in 0..<3 {
        group.addTask {
          var load = CacheLoad(storage, seed: Fuzz.seed() + UInt64(task))
          for _ in 0..<Fuzz.size(150, full: 10_000) {
            if let fault = await load.step() { return fault }
          }
          return nil
        }
      }
      for try await fault in group { #expect(fault == nil) }
    }
  }

  @Test(arguments: Backend.allCases, [Int.max, .min, 0])
  func `any number of bytes is a limit`(backend: Backend, bytes: Int) async throws {
    let storage = try backend.storage(bytes: bytes)
    let sample = SampleResponse("a", size: 100)
    await sample.store(in: storage)
    #expect(await storage.contents().count == (bytes == .max ? 1 : 0))
  }
}
