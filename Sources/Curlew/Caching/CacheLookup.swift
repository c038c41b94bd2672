import Foundation
import HTTPTypes

/// The cache's view of a request: the key, and the request without secrets.
struct CacheLookup: Sendable, Hashable {
  let key: CacheKey
  let request: CachePolicy.Request
  /// Whether the app names the accounts; otherwise, credentials tell them apart.
  let namesAccount: Bool

  init(_ request: OutgoingRequest, in cache: ResponseCache) {
    let (redaction, head) = (request.redaction, request.head)
    let account: String?
    if let name = cache.account {
      account = name(request)
      namesAccount = true
    } else {
      account = Self.fingerprint(ofCredentialsIn: head, redaction)
      namesAccount = false
    }
    key = CacheKey(account: account, url: redaction.fingerprinting(url: request.cacheURL))
    self.request = CachePolicy.Request(
      head: Self.withoutSecrets(head, redaction, account: namesAccount ? account ?? "" : nil),
      mode: request.cacheUse.mode, isCurrent: request.cacheUse.isCurrent)
  }

  /// Returns the request as it was sent, without conditions that the cache added.
  ///
  /// - Returns: `nil` if the network middlewares added credentials, so that the response's account is
  ///   unknown.
  func sent(
    _ sent: OutgoingRequest, without conditions: HTTPFields, instead original: OutgoingRequest
  ) -> CachePolicy.Request? {
    var head = sent.head
    for field in conditions {
      head.headerFields[field.name] = original.head.headerFields[field.name]
    }
    let redaction = sent.redaction
    if !namesAccount,
      redaction.credentials.contains(where: { name in
        head.headerFields[fields: name] != original.head.headerFields[fields: name]
      })
    {
      return nil
    }
    var request = request
    request.head = Self.withoutSecrets(
      head, redaction, account: namesAccount ? key.account ?? "" : nil)
    return request
  }

  /// Returns a request with fingerprints instead of its credentials, or with the name of its account.
  private static func withoutSecrets(
    _ head: HTTPRequest, _ redaction: Redaction, account: String?
  ) -> HTTPRequest {
    var head = head
    head.path = redaction.fingerprinting(url: head.path ?? "/")
    guard redaction.hasCredentials(in: head.headerFields) else { return head }
    for name in redaction.credentials {
      let values = head.headerFields[fields: name].map(\.distinctValue)
      guard !values.isEmpty else { continue }
      // A new token of the same account must not change the variant.
      head.headerFields[name] =
        account.map { "account \($0)" } ?? StableHash.of(values.joined(separator: ", "))
    }
    return head
  }

  private static func fingerprint(
    ofCredentialsIn head: HTTPRequest, _ redaction: Redaction
  ) -> String? {
    guard redaction.hasCredentials(in: head.headerFields) else { return nil }
    let values = redaction.credentials.sorted { $0.canonicalName < $1.canonicalName }
      .flatMap { name in
        head.headerFields[fields: name].map { "\(name.canonicalName): \($0.distinctValue)" }
      }
    return values.isEmpty ? nil : StableHash.of(values.joined(separator: "\n"))
  }
}

/// The key of stored responses: an account and a URL, compared by their bytes.
public struct CacheKey: Sendable, Hashable {
  /// The account whose requests the responses serve; `nil` for requests without credentials.
  ///
  /// A name that the app chose, or a fingerprint of the credentials; never a secret.
  public let account: String?
  /// The URL without its fragment; a secret query item has a fingerprint as its value.
  public let url: String

  /// Creates a key.
  public init(account: String?, url: String) {
    (self.account, self.url) = (account, url)
  }

  /// Returns whether the accounts and the URLs have the same bytes: `"jos\u{e9}"` and `"jose\u{301}"` are different
  /// accounts, although they are equal as texts.
  public static func == (one: Self, other: Self) -> Bool {
    Bytewise(one.url) == Bytewise(other.url)
      && one.account.map(Bytewise.init) == other.account.map(Bytewise.init)
  }

  /// Hashes the bytes of the account and the URL.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(account.map(Bytewise.init))
    hasher.combine(Bytewise(url))
  }
}

extension CacheKey {
  /// Whether the URL equals another URL or, if asked for, is below it.
  public func isAt(_ url: String, andBelow: Bool) -> Bool {
    andBelow ? Self.isURL(self.url, atOrBelow: url) : Bytewise(self.url) == Bytewise(url)
  }

  /// Returns whether a URL is one of the given URLs, equals one of the base URLs, or is below one.
  static func isURL(_ url: String, in urls: Set<Bytewise>, below bases: [String]) -> Bool {
    urls.contains(Bytewise(url)) || bases.contains { isURL(url, atOrBelow: $0) }
  }

  /// Returns whether a URL equals a base URL or is below it: `/user/starred?page=2` and
  /// `/user/starred/apple` are below `/user/starred`.
  static func isURL(_ url: String, atOrBelow base: String) -> Bool {
    guard url.utf8.starts(with: base.utf8) else { return false }
    guard let next = url.utf8.dropFirst(base.utf8.count).first else { return true }
    return base.utf8.last == UInt8(ascii: "/") || "/?&".utf8.contains(next)
  }
}
