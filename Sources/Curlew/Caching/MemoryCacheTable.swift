import Foundation

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
