@testable import Curlew

/// A storage in memory; a hook may replace the entries that it returns.
struct HookedStorage: CacheStorage {
  private let storage = MemoryCacheStorage()
  private let hook: @Sendable (CacheKey) async -> [CacheEntry]?

  init(hook: @escaping @Sendable (CacheKey) async -> [CacheEntry]?) {
    self.hook = hook
  }

  func entries(for key: CacheKey) async -> [CacheEntry] {
    if let entries = await hook(key) { return entries }
    return await storage.entries(for: key)
  }

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
