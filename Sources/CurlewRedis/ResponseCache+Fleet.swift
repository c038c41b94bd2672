public import Curlew
public import CurlewFleet
public import Foundation
import Synchronization

extension ResponseCache {
  /// Returns a cache that all servers of a fleet share, so that a new server finds it warm.
  ///
  /// It stores responses up to 60 KB, encrypted by the engine. ``contents(at:redaction:)`` and invalidations find the responses that this
  /// server has used; exchange the announcements of stores for those of others.
  ///
  /// - Parameters:
  ///   - fleet: The fleet; without its engine, nearly all lookups are misses.
  ///   - expires: The time after which a response is forgotten: 7 days by default.
  ///   - account: Returns the account of a request: see ``ResponseCache/init(_:account:now:)``.
  ///   - now: Returns the current date.
  public static func fleet(
    _ fleet: Fleet, expires: Duration = .seconds(7 * 86_400),
    account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> Self {
    Self(FleetCacheStorage(fleet: fleet, expires: expires), account: account, now: now)
  }
}

/// The responses of a fleet: one value for all responses under a key.
final class FleetCacheStorage: CacheStorage {
  private struct Stored: Codable {
    var response: StoredResponse
    var body: Data
  }

  /// The maximum size of the bodies under a key.
  private static let room = 60_000
  private static let maxKeys = 10_000

  private let fleet: Fleet
  private let expires: Duration
  /// The keys that this server has used.
  private let known = Mutex<Set<CacheKey>>([])

  init(fleet: Fleet, expires: Duration) { (self.fleet, self.expires) = (fleet, expires) }

  func entries(for key: CacheKey) async -> [CacheEntry] {
    await read(name(of: key)).stored.map { ($0.response, ResponseBody($0.body)) }
  }

  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    guard response.bodySize <= Self.room else { return nil }
    // After a purge the key has another name, under which this response is not found.
    let name = await name(of: key)
    return CollectingCacheWriter(response, room: Self.room) { response, body in
      await self.change(name) { stored in
        stored.removeAll { replaced.contains($0.response.id) || $0.response.id == response.id }
        stored.append(Stored(response: response, body: body))
        while stored.reduce(0, { $0 + $1.body.count }) > Self.room { stored.removeFirst() }
      }
    }
  }

  func update(_ response: StoredResponse, for key: CacheKey) async {
    _ = await change(name(of: key)) { stored in
      guard let index = stored.firstIndex(where: { $0.response.id == response.id }) else { return }
      stored[index].response = response
      stored[index].response.bodySize = Int64(stored[index].body.count)
    }
  }

  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    _ = await change(name(of: key)) { $0.removeAll { ids.contains($0.response.id) } }
  }

  func removeAll(at url: String) async { await purge("url \(url)") }
  func removeAll(of account: String?) async { await purge(Self.name(of: account)) }
  func removeAll() async { await purge("all") }

  func contents() async -> [(key: CacheKey, response: StoredResponse)] {
    await contents { _ in true }
  }

  func contents(
    at url: String, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    await contents { $0.isAt(url, andBelow: andBelow) }
  }

  private func contents(
    _ isIncluded: (CacheKey) -> Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    var contents: [(key: CacheKey, response: StoredResponse)] = []
    for key in known.withLock({ $0 }) where isIncluded(key) {
      contents += await read(name(of: key)).stored.map { (key, $0.response) }
    }
    // The servers' uses are unknown.
    return contents.sorted { $0.response.responseTime > $1.response.responseTime }
  }

  private func purge(_ name: String) async {
    // Longer than the responses: afterwards their names are the same again.
    _ = try? await fleet.set("cache purge \(name)", [], expires: expires * 2)
  }

  private static func name(of account: String?) -> String {
    account.map { "account \($0)" } ?? "no account"
  }

  /// Returns the name of a key's value, with the versions of the last purges of its responses.
  private func name(of key: CacheKey) async -> String {
    known.withLock { known in
      if known.count >= Self.maxKeys { known = Set(known.prefix(Self.maxKeys / 2)) }
      known.insert(key)
    }
    let account = Self.name(of: key.account)
    async let all = fleet.value("cache purge all").version
    async let own = fleet.value("cache purge \(account)").version
    async let url = fleet.value("cache purge url \(key.url)").version
    return await "cache \(all) \(own) \(url) \(account)\n\(key.url)"
  }

  private func read(_ name: String) async -> (stored: [Stored], version: Int64) {
    let value = await fleet.value(name)
    let stored = value.bytes.flatMap {
      try? PropertyListDecoder().decode([Stored].self, from: Data($0))
    }
    return (stored ?? [], value.version)
  }

  /// Changes the responses under a name, again if another server was faster.
  private func change(_ name: String, _ body: (inout [Stored]) -> Void) async -> Bool {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // A local value would be stored after the outage, when it is no longer new.
    while fleet.metrics.isConnected {
      var (stored, version) = await read(name)
      body(&stored)
      guard let data = try? encoder.encode(stored) else { return false }
      let bytes = stored.isEmpty ? nil : Array(data)
      do throws(FleetError) {
        try await fleet.set(name, bytes, ifVersion: version, expires: expires)
        return true
      } catch {
        guard case .conflict = error else { return false }
      }
    }
    return false
  }
}
