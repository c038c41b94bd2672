package import Curlew
import CurlewTesting
import Foundation
import TestSupport

/// Random operations on a storage.
package struct CacheLoad {
  let storage: any CacheStorage
  var random: SeededGenerator
  /// The largest body, in bytes.
  var largest = 300_000
  private(set) var counts: [String: Int] = [:]

  package init(_ storage: any CacheStorage, seed: UInt64) {
    self.storage = storage
    random = SeededGenerator(seed: seed)
  }

  /// Performs a random operation; returns its problem.
  package mutating func step() async -> String? {
    let account = random.chance(oneIn: 3) ? "ann" : nil
    let name = "\(random.pick(0...40))"
    let small = SampleResponse(
      name, account: account, seed: random.next(), size: random.pick(0...9000))
    switch random.pick(0...99) {
    case 0..<40: return await read(small.key)
    case 40..<75: return await store(small)
    case 75..<85:
      let size = random.pick(9000...largest)
      return await store(SampleResponse(name, account: account, seed: random.next(), size: size))
    case 85..<93:
      guard let entry = await storage.entries(for: small.key).first else { return nil }
      var response = entry.response
      response.responseTime += 1
      await storage.update(response, for: small.key)
      return count("updated")
    case 93..<97:
      let entries = await storage.entries(for: small.key)
      await storage.remove(entries.map(\.response.id), for: small.key)
      return count("removed")
    case 97: await storage.removeAll(at: small.key.url)
    case 98 where random.chance(oneIn: 10): await storage.removeAll(of: account)
    case 99 where random.chance(oneIn: 40): await storage.removeAll()
    default: return nil
    }
    return count("removed")
  }

  private mutating func store(_ sample: SampleResponse) async -> String? {
    let old = await storage.entries(for: sample.key).map(\.response.id)
    // Some bodies are truncated.
    if random.chance(oneIn: 10),
      let writer = await storage.store(
        sample.response, for: sample.key, replacing: old)
    {
      _ = await writer.append(sample.body.prefix(sample.size / 2))
      return count("cut")
    }
    let chunk = random.chance(oneIn: 2) ? .max : random.pick(1000...100_000)
    let stored = await sample.store(in: storage, replacing: old, chunk: chunk)
    return count(stored == nil ? "not stored" : "stored")
  }

  private mutating func read(_ key: CacheKey) async -> String? {
    for entry in await storage.entries(for: key) {
      do {
        if let fault = try await SampleResponse.fault(of: entry, for: key) { return fault }
        _ = count("hit")
      } catch {
        // Allowed: a body may be removed while it is read.
        _ = count("lost")
      }
    }
    return nil
  }

  private mutating func count(_ what: String) -> String? {
    counts[what, default: 0] += 1
    return nil
  }
}
