public import Curlew
public import CurlewFleet
public import Foundation
import HTTPTypes
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
  private struct Item: Codable {
    var id: UUID
    var variant: [String: String]
    var head: HTTPResponse
    var requestTime: Date
    var responseTime: Date
    var bodySize: Int64
    var isDecoded: Bool
    var isOutdated: Bool
  }

  private struct Index: Codable {
    /// The versions of the purges when the responses were stored; others make them invalid.
    var purges: [Int64]
    var items: [Item]
  }

  private typealias Stored = (response: StoredResponse, body: Data)

  /// The maximum size of the bodies under a key.
  private static let room = 60_000
  private static let maxKeys = 10_000

  private let fleet: Fleet
  private let expires: Duration
  /// The keys that this server has used, and the number of their last use.
  private let known = Mutex<(uses: Int, keys: [CacheKey: Int])>((0, [:]))

  init(fleet: Fleet, expires: Duration) { (self.fleet, self.expires) = (fleet, expires) }

  func entries(for key: CacheKey) async -> [CacheEntry] {
    await read(key).stored.map { ($0.response, ResponseBody($0.body)) }
  }

  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    guard response.bodySize <= Self.room else { return nil }
    let purges = await purges(of: key)
    return CollectingCacheWriter(response, room: Self.room) { response, body in
      await self.change(key, purges) { stored in
        stored.removeAll { replaced.contains($0.response.id) || $0.response.id == response.id }
        stored.append((response, body))
        while stored.reduce(0, { $0 + $1.body.count }) > Self.room { stored.removeFirst() }
      }
    }
  }

  func update(_ response: StoredResponse, for key: CacheKey) async {
    _ = await change(key) { stored in
      guard let index = stored.firstIndex(where: { $0.response.id == response.id }) else { return }
      let size = stored[index].response.bodySize
      stored[index].response = response
      stored[index].response.bodySize = size
    }
  }

  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    _ = await change(key) { $0.removeAll { ids.contains($0.response.id) } }
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
    let keys = known.withLock { $0.keys }.filter { isIncluded($0.key) }
      .sorted { $0.value > $1.value }.map(\.key)
    var contents: [(key: CacheKey, response: StoredResponse)] = []
    for key in keys { contents += await read(key).stored.map { (key, $0.response) } }
    return contents
  }

  // MARK: Purges

  private static func name(of account: String?) -> String {
    account.map { "of \($0)" } ?? "of none"
  }

  private func purge(_ name: String) async {
    _ = try? await fleet.set("cache purge \(name)", [], expires: expires)
  }

  private func purges(of key: CacheKey) async -> [Int64] {
    async let all = fleet.value("cache purge all").version
    async let account = fleet.value("cache purge \(Self.name(of: key.account))").version
    async let url = fleet.value("cache purge url \(key.url)").version
    return await [all, account, url]
  }

  // MARK: Values

  private func valueKey(_ key: CacheKey) -> String { "cache \(key.account ?? "")\n\(key.url)" }

  private func read(_ key: CacheKey) async -> (stored: [Stored], version: Int64, purges: [Int64]) {
    known.withLock { known in
      known.uses += 1
      known.keys[key] = known.uses
      if known.keys.count > Self.maxKeys {
        let oldest = known.uses - Self.maxKeys / 2
        known.keys = known.keys.filter { $0.value > oldest }
      }
    }
    async let value = fleet.value(valueKey(key))
    let (purges, stored) = (await purges(of: key), await value)
    return (stored.bytes.map { Self.decode($0, purges) } ?? [], stored.version, purges)
  }

  /// Changes the responses under a key, again if another server was faster.
  private func change(
    _ key: CacheKey, _ purges: [Int64]? = nil, _ body: (inout [Stored]) -> Void
  ) async -> Bool {
    // A local value would be stored after the outage, when it is no longer new.
    guard fleet.metrics.isConnected else { return false }
    for _ in 1...4 {
      let old = await read(key)
      guard purges == nil || purges == old.purges else { return false }
      var stored = old.stored
      body(&stored)
      let bytes = stored.isEmpty ? nil : Self.encode(stored, old.purges)
      do {
        _ = try await fleet.set(
          valueKey(key), bytes, ifVersion: old.version, expires: expires)
        return true
      } catch {
        guard case .conflict = error else { return false }
      }
    }
    return false
  }

  /// Returns the length of the index, the index, and the bodies.
  private static func encode(_ stored: [Stored], _ purges: [Int64]) -> [UInt8]? {
    let items = stored.map(\.response).map { response in
      Item(
        id: response.id, variant: response.variant, head: response.head,
        requestTime: response.requestTime, responseTime: response.responseTime,
        bodySize: response.bodySize, isDecoded: response.isDecoded,
        isOutdated: response.isOutdated)
    }
    guard let index = try? JSONEncoder().encode(Index(purges: purges, items: items)) else {
      return nil
    }
    let length = withUnsafeBytes(of: UInt32(index.count).littleEndian) { Array($0) }
    return stored.reduce(into: length + index) { $0 += $1.body }
  }

  private static func decode(_ bytes: [UInt8], _ purges: [Int64]) -> [Stored] {
    let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 4 + length,
      let index = try? JSONDecoder().decode(Index.self, from: Data(bytes[4..<(4 + length)])),
      index.purges == purges
    else { return [] }
    var (stored, rest) = ([Stored](), bytes[(4 + length)...])
    for item in index.items {
      guard item.bodySize >= 0, item.bodySize <= rest.count else { return [] }
      var response = StoredResponse(
        id: item.id, variant: item.variant, head: item.head, requestTime: item.requestTime,
        responseTime: item.responseTime, bodySize: item.bodySize, isDecoded: item.isDecoded)
      response.isOutdated = item.isOutdated
      stored.append((response, Data(rest.prefix(Int(item.bodySize)))))
      rest = rest.dropFirst(Int(item.bodySize))
    }
    return stored
  }
}
