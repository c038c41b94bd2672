public import CurlewSupport
import Foundation
import Synchronization

extension Fleet {
  /// Returns a function that replaces a token once for all servers, for `.bearer(_:refresh:)` of Curlew.
  ///
  /// ```swift
  /// .bearer(stored, refresh: fleet.singleFlight("github") { old in … })
  /// ```
  ///
  /// The server with a lease calls `refresh`; the others wait for its token, which an engine of several servers stores encrypted. While the engine
  /// is away, each server calls it.
  ///
  /// - Parameters:
  ///   - name: The name of the token, whose value has the key `token` and the name.
  ///   - expires: The time after which the stored token is forgotten.
  ///   - refresh: Returns a new token for the old one; `nil` if the session has ended.
  public func singleFlight<Token: Codable & Equatable & Sendable>(
    _ name: String, expires: Duration = .seconds(86_400),
    _ refresh: @escaping @Sendable (Token) async throws -> Token?
  ) -> @Sendable (Token) async throws -> Token? {
    let (key, leaseKey) = ("token \(name)", "refresh of token \(name)")
    return { [self] old in
      while true {
        // The lease is the server's: one call of its own at a time.
        let isFirst = state.withLock { $0.refreshes.insert(key).inserted }
        defer { if isFirst { state.withLock { _ = $0.refreshes.remove(key) } } }
        let lease = isFirst ? await lease(leaseKey, for: Self.refreshTime) : nil
        let stored = await value(key)
        let token = stored.bytes.flatMap {
          try? JSONDecoder().decode(Token.self, from: Data($0))
        }
        if let token, token != old {
          if let lease { await release(lease) }
          return token
        }
        if lease != nil {
          return try await whileRenewing(leaseKey) {
            let new = try await refresh(old)
            let bytes = new.flatMap { try? JSONEncoder().encode($0) }.map { Array($0) }
            // Even if the lease was lost: without its token, the next refresh would fail.
            _ = try? await set(key, bytes, ifVersion: stored.version, expires: expires)
            return new
          }
        }
        try await clock.sleep(until: clock.now + .milliseconds(50))
      }
    }
  }

  private static var refreshTime: Duration { .seconds(30) }

  /// Calls a closure, extends a lease while it runs, and ends the lease.
  private func whileRenewing<Value>(
    _ key: String, _ body: () async throws -> Value
  ) async throws -> Value {
    let renewal = WorkExecutor.task { [self] in
      while (try? await clock.sleep(until: clock.now + Self.refreshTime / 3)) != nil {
        _ = await lease(key, for: Self.refreshTime)
      }
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    renewal.cancel()
    await renewal.value
    // It has another number if it was lost meanwhile.
    if let last = await lease(key, for: Self.refreshTime) { await release(last) }
    return try result.get()
  }

  /// Exchanges short texts among the servers until the task is cancelled, for `Store.announcements()` of CurlewStore.
  ///
  /// ```swift
  /// await fleet.exchange("store", store.announcements()) { await store.receive($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - topic: The name of the exchange.
  ///   - outgoing: The texts of this server.
  ///   - receive: Called with each text of another server; with `nil` at the beginning and when texts may have been lost.
  public func exchange(
    _ topic: String, _ outgoing: some AsyncSequence<String, Never> & Sendable,
    receive: @escaping @Sendable (String?) async -> Void
  ) async {
    let prefix = "topic \(topic)\n"
    let sending = WorkExecutor.task { [self] in
      for await text in outgoing {
        _ = try? await set("\(prefix)\(server)\n\(text)", [], expires: options.checkInterval * 2)
      }
    }
    for await news in news(of: prefix) {
      guard let news else {
        await receive(nil)
        continue
      }
      let parts = news.key.dropFirst(prefix.count).split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] != server { await receive(String(parts[1])) }
    }
    sending.cancel()
  }
}

/// The texts of a fleet's values, for live pages.
extension Fleet: ServerValues {
  /// Returns the newest text of a key; `nil` for none.
  public func text(_ key: String) async -> String? {
    await value(key).bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores a text, or removes it; returns false if the lease is lost or the text is too large.
  public func set(
    _ key: String, _ text: String?, lease: FleetLease?, expires: Duration
  ) async -> Bool {
    let bytes = text.map { Array($0.utf8) }
    return (try? await set(key, bytes, lease: lease, expires: expires)) != nil
  }
}
