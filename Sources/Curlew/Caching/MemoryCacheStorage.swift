import Foundation
import HTTPTypes
import Synchronization

/// A storage in memory with a maximum size in bytes; it evicts the least recently used responses first.
final class MemoryCacheStorage: CacheStorage {
  /// The overhead of an entry, beside its texts and its body, in bytes.
  private static let overhead = 512

  private let limit: Int
  private let entryLimit: Int
  private let state = Mutex(MemoryCacheTable())

  /// `true`: it awaits nothing.
  var isStoppable: Bool { true }

  /// Creates an empty storage.
  ///
  /// - Parameter bytes: The maximum size of all responses together, with their header fields. A response
  ///   larger than an eighth of it is not stored.
  init(bytes: Int = 32 << 20) {
    limit = max(0, bytes)
    entryLimit = limit / 8
  }

  /// Returns the responses that are stored under a key.
  func entries(for key: CacheKey) async -> [CacheEntry] {
    state.withLock { state in
      guard let ids = state.keys[key] else { return [] }
      return ids.compactMap { id in
        state.use(id)
        return state.entries[id].map { ($0.response, ResponseBody($0.body)) }
      }
    }
  }

  /// Begins to store a response.
  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    let size = Self.size(of: response, key)
    // Subtracted, so that it can't overflow: a server may announce any number of bytes.
    guard size <= entryLimit, response.bodySize <= entryLimit - size else { return nil }
    let purges = state.withLock { $0.purges }
    return CollectingCacheWriter(response, room: entryLimit - size) { response, body in
      self.finish(response, key, body, replaced, purges: purges)
    }
  }

  /// Replaces the head of a stored response.
  func update(_ response: StoredResponse, for key: CacheKey) async {
    state.withLock { state in
      guard state.entries[response.id]?.key == key, let old = state.remove(response.id) else {
        return
      }
      var response = response
      response.bodySize = old.response.bodySize
      state.insert(response, old.key, old.body, Self.size(of: response, key) + old.body.count)
      state.shrink(to: limit)
    }
  }

  /// Removes responses under a key.
  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    // Returned, so that bodies are released outside the lock.
    _ = state.withLock { state in
      ids.filter { state.entries[$0]?.key == key }.compactMap { state.remove($0) }
    }
  }

  /// Removes all responses under a URL.
  func removeAll(at url: String) async {
    _ = state.withLock { state in
      state.ids(at: url, andBelow: false).compactMap { state.remove($0) }
    }
  }

  /// Removes all responses of an account.
  func removeAll(of account: String?) async {
    _ = state.withLock { state in
      state.purges += 1
      return state.entries.values
        .filter { $0.key.account.map(Bytewise.init) == account.map(Bytewise.init) }
        .compactMap { state.remove($0.response.id) }
    }
  }

  /// Removes all responses.
  func removeAll() async {
    _ = state.withLock { state in
      let old = state
      state = MemoryCacheTable()
      state.purges = old.purges + 1
      return old
    }
  }

  /// Returns all stored responses, the most recently used first.
  func contents() async -> [(key: CacheKey, response: StoredResponse)] {
    state.withLock { state in
      var (result, next) = ([(key: CacheKey, response: StoredResponse)](), state.newest)
      while let id = next, let entry = state.entries[id] {
        result.append((entry.key, entry.response))
        next = entry.older
      }
      return result
    }
  }

  /// Returns the stored responses under a URL, the most recently used first.
  func contents(
    at url: String, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    state.withLock { state in
      state.ids(at: url, andBelow: andBelow).compactMap { state.entries[$0] }
        .sorted { $0.lastUse > $1.lastUse }.map { ($0.key, $0.response) }
    }
  }

  /// The size of all responses together, in bytes.
  var size: Int { state.withLock { $0.size } }

  private func finish(
    _ response: StoredResponse, _ key: CacheKey, _ body: Data, _ replaced: [StoredResponse.ID],
    purges: Int
  ) -> Bool {
    let size = Self.size(of: response, key) + body.count
    let removed = state.withLock { state -> [MemoryCacheTable.Entry]? in
      guard state.purges == purges else { return nil }
      let removed = replaced.filter { state.entries[$0]?.key == key }.compactMap {
        state.remove($0)
      }
      state.insert(response, key, body, size)
      return removed + state.shrink(to: limit)
    }
    return removed != nil
  }

  private static func size(of response: StoredResponse, _ key: CacheKey) -> Int {
    let fields = response.head.headerFields.reduce(0) {
      $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64
    }
    let variant = response.variant.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    return overhead + fields + variant + key.url.utf8.count + (key.account?.utf8.count ?? 0)
  }
}
