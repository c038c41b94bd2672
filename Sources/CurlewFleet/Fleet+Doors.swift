import CurlewSupport
import Foundation

extension Fleet {
  /// The units of rate limits that all servers share, for `RateBudget(units:)` of Curlew.
  public var units:
    @Sendable (_ count: Int, _ scope: String, _ limit: Int, _ window: Duration) async -> (
      count: Int, retryAfter: Duration?
    )
  {
    { [self] count, scope, limit, window in
      let grant = await take(count, of: "rate \(scope)", limit: limit, per: window)
      return (grant.count, grant.retryAfter)
    }
  }

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
    let key = "token \(name)"
    return { [self] old in
      while true {
        if let new = await newer(key, than: old).token { return new }
        guard let lease = await lease(key, for: .seconds(30)) else {
          try await clock.sleep(until: clock.now + .milliseconds(50))
          continue
        }
        let stored = await newer(key, than: old)
        let result: Result<Token?, any Error>
        do {
          result = .success(stored.token == nil ? try await refresh(old) : stored.token)
        } catch {
          result = .failure(error)
        }
        if stored.token == nil, case .success(let token) = result {
          let bytes = token.flatMap { try? JSONEncoder().encode($0) }.map { Array($0) }
          _ = try? await set(
            key, bytes, ifVersion: stored.version, lease: lease, expires: expires)
        }
        await release(lease)
        return try result.get()
      }
    }
  }

  /// Returns the stored token, unless it is the old one.
  private func newer<Token: Codable & Equatable>(
    _ key: String, than old: Token
  ) async -> (token: Token?, version: Int64) {
    let value = await value(key)
    let token = value.bytes.flatMap { try? JSONDecoder().decode(Token.self, from: Data($0)) }
    return (token == old ? nil : token, value.version)
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
      guard let key = news.key else {
        await receive(nil)
        continue
      }
      let parts = key.dropFirst(prefix.count).split(separator: "\n", maxSplits: 1)
      if parts.count == 2, parts[0] != server { await receive(String(parts[1])) }
    }
    sending.cancel()
  }
}
