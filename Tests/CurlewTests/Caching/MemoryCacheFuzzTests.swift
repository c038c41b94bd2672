import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The memory storage's bookkeeping under random use, including calls that no cache makes.
@Suite(.timeLimit(.minutes(5)))
struct MemoryCacheFuzzTests {
  private let keys = (0..<5).map {
    CacheKey(account: $0.isMultiple(of: 2) ? nil : "user", url: "https://api.example.com/\($0)")
  }

  @Test(arguments: [0, 4000, 20_000, 200_000])
  func `sizes and lists always fit`(limit: Int) async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let storage = MemoryCacheStorage(bytes: limit)
    var writers: [(writer: any CacheWriter, key: CacheKey, response: StoredResponse)] = []
    var known: [(key: CacheKey, response: StoredResponse)] = []
    for _ in 0..<2000 {
      guard let key = keys.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let old = Int.random(in: 0..<8, using: &random) == 0 ? known.randomElement() : nil
        let size: Int64 = [-1, .min, .max, 10, 100].randomElement(using: &random) ?? 0
        let response = StoredResponse(
          id: old?.response.id ?? UUID(), head: HTTPResponse(status: .ok),
          requestTime: TestDate().now, responseTime: TestDate().now, bodySize: size)
        let replaced = known.filter { _ in Bool.random(using: &random) }.map(\.response.id)
        if let writer = await storage.store(response, for: key, replacing: replaced + replaced) {
          writers.append((writer, key, response))
        }
      case 4..<7:
        let size = Int.random(in: 0..<3000, using: &random)
        _ = await writers.randomElement(using: &random)?.writer.append(Data(count: size))
      case 7..<9:
        guard let index = writers.indices.randomElement(using: &random) else { continue }
        let (writer, key, response) = writers[index]
        if await writer.finish() { known.append((key, response)) }
        // Some writers finish twice.
        if Bool.random(using: &random) { writers.remove(at: index) }
      case 9:
        guard var entry = known.randomElement(using: &random) else { continue }
        let length = Int.random(in: 0..<4000, using: &random)
        entry.response.head.headerFields[.eTag] = String(repeating: "x", count: length)
        await storage.update(entry.response, for: Bool.random(using: &random) ? entry.key : key)
      case 10:
        await storage.remove(known.shuffled(using: &random).prefix(2).map(\.response.id), for: key)
      default:
        switch Int.random(in: 0..<20, using: &random) {
        case 0: await storage.removeAll()
        case 1: await storage.removeAll(of: "user")
        case 2: await storage.removeAll(at: key.url)
        default: _ = await storage.entries(for: key)
        }
      }
      try await check(storage, limit)
    }
    await storage.removeAll(of: nil)
    await storage.removeAll(of: "user")
    let rest = await storage.contents()
    #expect(storage.size == 0 && rest.isEmpty)
  }

  private func check(_ storage: MemoryCacheStorage, _ limit: Int) async throws {
    let (size, contents) = (storage.size, await storage.contents())
    #expect(0...limit ~= size)
    #expect(Set(contents.map(\.response.id)).count == contents.count)
    var (count, bytes) = (0, 0)
    for key in keys {
      for entry in await storage.entries(for: key) {
        let body = try await entry.body.collect(upTo: .max)
        #expect(Int64(body.count) == entry.response.bodySize)
        (count, bytes) = (count + 1, bytes + body.count)
      }
    }
    #expect(count == contents.count && bytes <= size && (count > 0 || size == 0))
  }
}
