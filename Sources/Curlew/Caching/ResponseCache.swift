public import Foundation
import HTTPTypes

/// A private HTTP cache (RFC 9111) for the responses of clients.
///
/// ```swift
/// let client = Client(baseURL: "https://api.github.com") {
///   $0.cache = .memory()
/// }
/// ```
///
/// Clients may share one. Below it are the network middlewares: a hit does not count for their limits, and
/// nothing that they add to a request is known to it.
public struct ResponseCache: Sendable {
  /// Where the responses are.
  package let storage: any CacheStorage
  /// For how long a response may be stale and still be served when the server can't be reached, after all
  /// retries, unless the response forbids it (RFC 9111 section 4.2.4).
  ///
  /// 30 days by default: users prefer outdated content with its age (``Response/asOf``) to an empty screen.
  /// Zero for never.
  public var maximumOfflineStaleness = Duration.seconds(30 * 86_400)
  /// Whether ``maximumOfflineStaleness`` is also for responses that ask to be validated each time, such as those with
  /// `no-cache`; `false` by default.
  ///
  /// The standard allows it where a user sees what was seen before, as in a browser's history (RFC 9111 section
  /// 6): for an app that shows its user how old it is.
  public var servesUnvalidatedWhenOffline = false
  /// Whether responses that don't say how long they are fresh are fresh for a tenth of their age (RFC 9111
  /// section 4.2.2); `true` by default.
  public var usesHeuristics = true

  /// The responses that are on their way into the storage.
  let tickets = CacheTickets()
  /// Names the account of a request; `nil` for the default, the request's credentials.
  let account: (@Sendable (OutgoingRequest) -> String?)?
  /// Returns the current date.
  package let now: @Sendable () -> Date

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - storage: Where the responses are.
  ///   - account: Names the account that a request is for; `nil` for none. Responses to one account's requests
  ///     never serve those of another. It is asked for each request, also for those of retries and redirects,
  ///     and should tell from the request whose it is: who is signed in may have changed meanwhile. Without
  ///     this function, requests with different credentials share nothing.
  ///   - now: Returns the current date.
  public init(
    _ storage: any CacheStorage, account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.storage = storage
    self.account = account
    self.now = now
  }
}

extension ResponseCache {
  /// Removes the responses of an account, as when a user signs out; those without an account for `nil`.
  ///
  /// Responses to calls that have begun are not stored any more, even if their request is sent later, as after
  /// the wait of a retry.
  public func removeAll(of account: String?) async {
    tickets.purge(account)
    await storage.removeAll(of: account)
  }

  /// Removes everything; responses to calls that have begun are not stored any more.
  public func removeAll() async {
    tickets.purge(nil)
    await storage.removeAll()
  }

  /// Marks what is stored under a URL as out of date, as after a write that changed what it shows.
  ///
  /// The server is asked before it is used again, for any account. It stays there for when the server can't be
  /// reached. A response whose request was sent before is not stored any more. Writes to the URL itself need no call
  /// (RFC 9111 section 4.4). ``Client/invalidate(_:andBelow:)`` takes an endpoint.
  ///
  /// - Parameters:
  ///   - url: The URL, with its secrets.
  ///   - andBelow: Whether everything is meant whose URL begins with it, such as its pages: `/user/starred`
  ///     with `/user/starred?page=2` and `/user/starred/apple`.
  ///   - redaction: The query items that are secret.
  package func invalidate(
    _ url: String, andBelow: Bool = false, redaction: Redaction = Redaction()
  ) async {
    let url = redaction.fingerprinting(url: url)
    await invalidate { key in
      key.url == url || andBelow && CacheKey.isURL(key.url, atOrBelow: url)
    }
  }

  /// Marks what is stored under some keys as out of date.
  package func invalidate(where isMeant: @Sendable (CacheKey) -> Bool) async {
    tickets.void(where: isMeant)
    for (key, response) in await storage.contents() where isMeant(key) && !response.isOutdated {
      var outdated = response
      outdated.isOutdated = true
      await storage.update(outdated, for: key)
    }
  }

  /// Returns what is stored, the most recently used first, and what would be done with it now.
  ///
  /// - Parameters:
  ///   - url: The URL, with its secrets or with their fingerprints, as ``CacheKey/url`` has them; `nil`
  ///     for all.
  ///   - redaction: The query items that are secret.
  public func contents(
    at url: String? = nil, redaction: Redaction = Redaction()
  ) async -> [Item] {
    let now = now()
    let urls = url.map { [$0, redaction.fingerprinting(url: $0)] }
    return await storage.contents().filter { urls?.contains($0.key.url) ?? true }
      .map { Item($0.key, $0.response, policy, now: now) }
  }

  /// A stored response, and what the cache would do with it for a plain `GET` request.
  public struct Item: Sendable {
    /// What the response is found by.
    public let key: CacheKey
    /// The response, without its body.
    public let response: StoredResponse
    /// Its age in seconds (RFC 9111 section 4.2.3).
    public let age: Int
    /// For how many whole seconds from now on it is fresh: zero in its last second, negative if it is stale.
    public let timeToLive: Int
    /// What the cache would do, and why.
    public let status: CacheStatus

    init(_ key: CacheKey, _ response: StoredResponse, _ policy: CachePolicy, now: Date) {
      (self.key, self.response) = (key, response)
      age = Int(policy.age(of: response, now: now))
      timeToLive = policy.timeToLive(of: response, now: now)
      var head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
      for (name, value) in response.variant {
        if let name = HTTPField.Name(name) { head.headerFields[name] = value }
      }
      switch policy.decision(for: CachePolicy.Request(head: head), among: [response], now: now) {
      case .serve(_, _, let status, _), .notModified(_, let status, _),
        .validate(_, _, let status), .forward(_, let status), .unavailable(let status):
        self.status = status
      }
    }
  }

  var policy: CachePolicy {
    CachePolicy(
      usesHeuristics: usesHeuristics, maximumOfflineStaleness: maximumOfflineStaleness,
      servesUnvalidatedWhenOffline: servesUnvalidatedWhenOffline)
  }

  /// Returns a cache in memory, which is gone when the process ends.
  ///
  /// - Parameters:
  ///   - bytes: The maximum size of all responses together; 32 MiB by default.
  ///   - account: Names the account that a request is for: see ``init(_:account:now:)``.
  ///   - now: Returns the current date.
  public static func memory(
    bytes: Int = 32 << 20, account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> Self {
    Self(MemoryCacheStorage(bytes: bytes), account: account, now: now)
  }
}
