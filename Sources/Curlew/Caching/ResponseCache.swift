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
/// Several clients may share a cache. It runs before the network middlewares: a hit does not count against their
/// limits, and a lookup does not see the header fields that they add.
public struct ResponseCache: Sendable {
  /// The storage of the responses.
  let storage: any CacheStorage
  /// The maximum staleness of a response that is served when the server can't be reached, after all retries, unless
  /// the response forbids it (RFC 9111 section 4.2.4).
  ///
  /// 30 days by default: users prefer outdated content with its age (``Response/asOf``) to an empty screen. Zero
  /// disables this.
  public var maximumOfflineStaleness = Duration.seconds(30 * 86_400)
  /// Whether ``maximumOfflineStaleness`` also applies to responses that require validation each time, such as
  /// `no-cache`; `false` by default.
  ///
  /// The standard allows it for history mechanisms, as in browsers (RFC 9111 section 6). It suits apps that show the
  /// age of their content.
  public var servesUnvalidatedWhenOffline = false
  /// Whether responses without an explicit lifetime are fresh for a tenth of the time since their last modification
  /// (RFC 9111 section 4.2.2); `true` by default.
  public var usesHeuristics = true

  /// The tickets of the responses in flight.
  let tickets = CacheTickets()
  /// Returns the account of a request; `nil` for the default, which tells accounts apart by the request's
  /// credentials.
  let account: (@Sendable (OutgoingRequest) -> String?)?
  /// Returns the current date.
  public let now: @Sendable () -> Date

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - storage: The storage of the responses.
  ///   - account: Returns the account that a request is for; `nil` for none. Accounts never share responses. The
  ///     function is called for each request, including retries and redirects, and should derive the account from the
  ///     request: another user may have signed in since the call began. Without this function, requests with
  ///     different credentials share no responses.
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
  /// Removes the responses of an account, for example when a user signs out; `nil` removes the responses without an
  /// account.
  ///
  /// Responses to calls in progress are not stored, even if their request is sent later, such as a delayed retry.
  public func removeAll(of account: String?) async {
    tickets.purge(account)
    await storage.removeAll(of: account)
  }

  /// Removes all responses; responses to calls in progress are not stored.
  public func removeAll() async {
    tickets.purge(nil)
    await storage.removeAll()
  }

  /// Gives memory back, as when the system warns: a storage in memory evicts all responses; a storage in files keeps them.
  public func freeMemory() async { await storage.freeMemory() }

  /// Marks the responses under a URL as outdated, for example after a write that changed the resource.
  ///
  /// They are validated before their next use, for all accounts, and stay stored for when the server can't be
  /// reached. Responses to requests in flight are not stored. Writes to the URL itself need no call (RFC 9111 section
  /// 4.4). ``Client/invalidate(_:andBelow:)`` takes an endpoint.
  ///
  /// - Parameters:
  ///   - url: The URL, with its secrets.
  ///   - andBelow: Whether to include URLs below it, such as its pages: `/user/starred?page=2` and
  ///     `/user/starred/apple` are below `/user/starred`.
  ///   - redaction: The query items that are secret.
  func invalidate(
    _ url: String, andBelow: Bool = false, redaction: Redaction = Redaction()
  ) async {
    let url = redaction.fingerprinting(url: url)
    await invalidate(andBelow ? [] : [Bytewise(url)], below: andBelow ? [url] : [])
  }

  /// Marks the responses under the given URLs, and under and below the base URLs, as outdated.
  package func invalidate(_ urls: Set<Bytewise>, below bases: [String] = []) async {
    tickets.void { CacheKey.isURL($0.url, in: urls, below: bases) }
    for (url, andBelow) in urls.map({ ($0.text, false) }) + bases.map({ ($0, true) }) {
      for (key, response) in await storage.contents(at: url, andBelow: andBelow)
      where !response.isOutdated {
        var outdated = response
        outdated.isOutdated = true
        await storage.update(outdated, for: key)
      }
    }
  }

  /// Returns the stored responses, the most recently used first, each with its current age and status.
  ///
  /// - Parameters:
  ///   - url: The URL, with its secrets or with their fingerprints, as in ``CacheKey/url``; `nil` for all responses.
  ///   - redaction: The query items that are secret.
  public func contents(
    at url: String? = nil, redaction: Redaction = Redaction()
  ) async -> [Item] {
    let now = now()
    var contents: [(key: CacheKey, response: StoredResponse)] = []
    if let url {
      for url in Set([url, redaction.fingerprinting(url: url)].map(Bytewise.init)) {
        contents += await storage.contents(at: url.text, andBelow: false)
      }
    } else {
      contents = await storage.contents()
    }
    return contents.map { Item($0.key, $0.response, policy, now: now) }
  }

  /// A stored response with the cache's decision for a plain `GET` request.
  public struct Item: Sendable {
    /// The key of the response.
    public let key: CacheKey
    /// The response, without its body.
    public let response: StoredResponse
    /// The age in seconds (RFC 9111 section 4.2.3).
    public let age: Int
    /// The remaining freshness lifetime in whole seconds: zero in the last second, negative if the response is stale.
    public let timeToLive: Int
    /// The decision and its reason.
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

  /// Returns a cache that stores responses in memory, until the process ends.
  ///
  /// - Parameters:
  ///   - bytes: The maximum size of all responses together; 32 MiB by default.
  ///   - account: Returns the account that a request is for: see ``init(_:account:now:)``.
  ///   - now: Returns the current date.
  public static func memory(
    bytes: Int = 32 << 20, account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> Self {
    Self(MemoryCacheStorage(bytes: bytes), account: account, now: now)
  }
}
