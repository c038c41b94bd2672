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

  /// Evicts all responses.
  func freeMemory() async { _ = state.withLock { $0.shrink(to: 0) } }

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

/// The entries of a ``MemoryCacheStorage``, in the order of their last use.
struct MemoryCacheTable {
  struct Entry {
    let key: CacheKey
    let response: StoredResponse
    let body: Data
    let size: Int
    /// The number of uses when the entry was used last.
    fileprivate(set) var lastUse = 0
    /// The neighbours in the order of use.
    fileprivate(set) var older: StoredResponse.ID?
    fileprivate(set) var newer: StoredResponse.ID?
  }

  private(set) var entries: [StoredResponse.ID: Entry] = [:]
  private(set) var keys: [CacheKey: [StoredResponse.ID]] = [:]
  /// The keys of each URL.
  private(set) var urls: [Bytewise: Set<CacheKey>] = [:]
  private(set) var newest: StoredResponse.ID?
  private var oldest: StoredResponse.ID?
  private var uses = 0
  /// The size of all entries, in bytes.
  private(set) var size = 0

  /// The number of purges: of all entries, or of all entries of an account.
  var purges = 0

  /// Marks an entry as the most recently used.
  mutating func use(_ id: StoredResponse.ID) {
    guard newest != id else { return }
    unlink(id)
    link(id)
  }

  /// Inserts an entry as the most recently used; replaces an entry with the same id.
  mutating func insert(_ response: StoredResponse, _ key: CacheKey, _ body: Data, _ size: Int) {
    remove(response.id)
    entries[response.id] = Entry(
      key: key, response: response, body: body, size: size)
    keys[key, default: []].append(response.id)
    urls[Bytewise(key.url), default: []].insert(key)
    self.size += size
    link(response.id)
  }

  @discardableResult
  mutating func remove(_ id: StoredResponse.ID) -> Entry? {
    guard entries[id] != nil else { return nil }
    unlink(id)
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    size -= entry.size
    keys[entry.key]?.removeAll { $0 == id }
    if keys[entry.key]?.isEmpty == true {
      keys[entry.key] = nil
      let url = Bytewise(entry.key.url)
      urls[url]?.remove(entry.key)
      if urls[url]?.isEmpty == true { urls[url] = nil }
    }
    return entry
  }

  /// Returns the ids of the entries under a URL or, if asked for, below it.
  func ids(at url: String, andBelow: Bool) -> [StoredResponse.ID] {
    let keys =
      andBelow
      ? urls.filter { CacheKey.isURL($0.key.text, atOrBelow: url) }.flatMap(\.value)
      : Array(urls[Bytewise(url)] ?? [])
    return keys.flatMap { self.keys[$0] ?? [] }
  }

  /// Evicts the least recently used entries until the rest fits; returns the evicted entries.
  @discardableResult
  mutating func shrink(to limit: Int) -> [Entry] {
    var removed: [Entry] = []
    while size > limit, let id = oldest, let entry = remove(id) { removed.append(entry) }
    return removed
  }

  private mutating func link(_ id: StoredResponse.ID) {
    entries[id]?.older = newest
    entries[id]?.newer = nil
    uses += 1
    entries[id]?.lastUse = uses
    if let newest { entries[newest]?.newer = id }
    newest = id
    if oldest == nil { oldest = id }
  }

  private mutating func unlink(_ id: StoredResponse.ID) {
    guard let entry = entries[id] else { return }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
  }
}
