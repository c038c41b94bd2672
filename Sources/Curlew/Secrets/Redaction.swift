public import Foundation
public import HTTPTypes

/// The secret header fields and query items, whose values are masked in texts.
public struct Redaction: Sendable, Hashable {
  /// The header fields whose values are secret.
  ///
  /// By default HTTP's own secret fields, and the fields that APIs use for keys and tokens.
  public var headerFields = Self.secretFields

  private static let secretFields = Set(
    [.authorization, .proxyAuthorization, .cookie, .setCookie]
      + ["Api-Key", "Private-Token", "X-Access-Token", "X-Api-Key", "X-Auth-Token"]
      .compactMap { HTTPField.Name($0) })

  /// The query items whose values are secret, regardless of the case of their names; stored in
  /// lowercase.
  ///
  /// By default the items for API keys, tokens and passwords, and for the signatures of links of Amazon,
  /// Google, Azure, Alibaba and others: the signature grants access to the link.
  public var queryItems: Set<String> = [
    "access_token", "api_key", "apikey", "auth_token", "client_assertion", "client_secret", "hmac",
    "id_token", "jwt", "key", "passwd", "password", "private_token", "pwd", "refresh_token",
    "secret",
    "security-token", "sig", "signature", "token", "x-amz-credential", "x-amz-security-token",
    "x-amz-signature", "x-goog-credential", "x-goog-signature", "x-oss-credential",
    "x-oss-security-token", "x-oss-signature",
  ]
  {
    didSet { queryItems = Set(queryItems.map { $0.lowercased() }) }
  }

  /// The secret values of redirected requests: the target of a redirect may contain them under other names.
  private var remembered: Set<Sensitive> = []

  /// Creates the default redaction.
  public init() {}

  /// The text in place of a secret.
  public static let mask = "***"

  /// The header fields that are only sent to their own origin (RFC 9110 section 15.4).
  ///
  /// `Authorization`, `Proxy-Authorization` and `Cookie` are always credentials, even if they are not
  /// masked.
  var credentials: Set<HTTPField.Name> {
    headerFields.union([.authorization, .proxyAuthorization, .cookie])
  }

  /// Returns whether header fields contain a credential.
  func hasCredentials(in fields: HTTPFields) -> Bool {
    fields.contains { field in
      headerFields.contains(field.name) || field.name == .authorization
        || field.name == .proxyAuthorization || field.name == .cookie
    }
  }

  /// Adds the secrets of another redaction.
  public mutating func formUnion(_ other: Redaction) {
    headerFields.formUnion(other.headerFields)
    queryItems.formUnion(other.queryItems)
    remembered.formUnion(other.remembered)
  }

  /// Returns header fields with secret values masked.
  public func redacting(_ fields: HTTPFields) -> HTTPFields {
    var result = HTTPFields()
    for var field in fields {
      if headerFields.contains(field.name) { field.value = Self.mask }
      result.append(field)
    }
    return result
  }

  /// Returns a URL, or a part of a URL, with secret values in its query masked.
  public func redacting(url: String) -> String {
    let result = replacingSecrets(inURL: url) { _ in Self.mask }
    guard !remembered.isEmpty else { return result }
    return Self.maskable(remembered.map(\.value)).reduce(result) {
      $0.replacing($1, with: Self.mask)
    }
  }

  /// Returns a URL without its fragment, with fingerprints of the secret values in its query, which
  /// distinguish secrets without revealing them.
  func fingerprinting(url: String) -> String {
    let result = replacingSecrets(inURL: String(url.prefix { $0 != "#" })) {
      StableHash.of(String($0))
    }
    guard !remembered.isEmpty else { return result }
    return Self.maskable(remembered.map(\.value)).reduce(result) {
      $0.replacing($1, with: StableHash.of($1))
    }
  }

  private func replacingSecrets(
    inURL url: String, with replacement: (Substring) -> String
  ) -> String {
    guard url.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
      return url
    }
    let text = Self.withoutUserInfo(url)
    let path = text.prefix { $0 != "?" && $0 != "#" }
    var result = String(path)
    var rest = text[path.endIndex...]
    // A fragment is treated as a query: OAuth's implicit grant returns its token there.
    while let mark = rest.popFirst() {
      let item = rest.prefix { !"&?#".contains($0) }
      rest = rest[item.endIndex...]
      result.append(mark)
      if let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) {
        result += item[...equals] + replacement(item[equals...].dropFirst())
      } else {
        result += item
      }
    }
    return result
  }

  /// Stores the secret values of a request, so that they are also masked for the requests that follow it.
  mutating func remember(secretsOf request: HTTPRequest) {
    remembered.formUnion(secrets(of: request).map { Sensitive($0) })
  }

  /// Returns a text with the request's secret values masked: servers and transports may quote the request.
  public func redacting(_ text: String, secretsOf request: HTTPRequest) -> String {
    secrets(of: request).reduce(text) { $0.replacing($1, with: Self.mask) }
  }

  /// Returns a response's header fields with secret fields masked, and with the request's secret values
  /// masked in the other fields.
  public func redacting(_ fields: HTTPFields, secretsOf request: HTTPRequest) -> HTTPFields {
    let secrets = secrets(of: request)
    var result = HTTPFields()
    for var field in redacting(fields) {
      field.value = secrets.reduce(field.value) { $0.replacing($1, with: Self.mask) }
      result.append(field)
    }
    return result
  }

  /// Returns data with the request's secret values masked.
  public func redacting(_ data: Data, secretsOf request: HTTPRequest) -> Data {
    var result = data
    for secret in secrets(of: request) {
      let secret = Data(secret.utf8)
      var (masked, rest) = (Data(), result[...])
      while let range = rest.firstRange(of: secret) {
        masked += rest[..<range.lowerBound] + Data(Self.mask.utf8)
        rest = rest[range.upperBound...]
      }
      result = masked + rest
    }
    return result
  }

  /// Returns the secret values of a request in the forms in which texts may quote them, the longest first.
  private func secrets(of request: HTTPRequest) -> [String] {
    var secrets = secretValues(of: request)
    // JSON escapes quotation marks and backslashes, and may escape a slash (RFC 8259 section 7).
    secrets.formUnion(
      secrets.map { $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") })
    secrets.formUnion(secrets.map { $0.replacing("/", with: "\\/") })
    return Self.maskable(secrets)
  }

  /// Returns the secret values of a request, including very short values.
  package func secretValues(of request: HTTPRequest) -> Set<String> {
    var secrets = Set(remembered.map(\.value))
    for field in request.headerFields where headerFields.contains(field.name) {
      secrets.insert(field.value)
      // "Bearer abc": the credentials are secret without the scheme's name, too.
      if let space = field.value.firstIndex(of: " ") {
        secrets.insert(String(field.value[field.value.index(after: space)...]))
      }
      secrets.formUnion(Self.parts(of: field))
    }
    let query = request.path.flatMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first }
    for item in (query ?? "").split(separator: "&") {
      guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { continue }
      let value = String(item[item.index(after: equals)...])
      secrets.insert(value)
      secrets.insert(value.removingPercentEncoding ?? value)
    }
    return secrets
  }

  /// Returns the parts of a secret field that a server may quote: a cookie's value without its name, or the
  /// password of Basic credentials (RFC 7617).
  private static func parts(of field: HTTPField) -> [String] {
    if field.name == .cookie {
      return field.value.split(separator: ";").compactMap { pair in
        pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
      }
    }
    let words = field.value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "basic",
      let data = Data(base64Encoded: String(words[1]))
    else { return [] }
    let password = String(decoding: data, as: UTF8.self).drop { $0 != ":" }.dropFirst()
    return [String(password)]
  }

  /// Returns the values that can be masked in any text, the longest first.
  private static func maskable(_ secrets: some Collection<String>) -> [String] {
    // Masking a very short value would garble unrelated text.
    secrets.filter { $0.utf8.count >= 4 && !mask.contains($0) }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Returns whether a query item with this percent-encoded name is secret.
  package func isSecret(_ encodedName: Substring) -> Bool {
    let text = String(encodedName)
    let name = text.removingPercentEncoding ?? text
    return queryItems.contains(name.lowercased())
  }

  /// Returns a URL without its user and password.
  static func withoutUserInfo(_ url: String) -> String {
    // A reference may have no scheme (RFC 3986 section 4.2).
    let scheme = url.prefix { !"/?#".contains($0) }
    guard url[scheme.endIndex...].hasPrefix("//") else { return url }
    let start = url.index(scheme.endIndex, offsetBy: 2)
    let rest = url[start...]
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<start] + rest[rest.index(after: at)...])
  }
}

/// A hash that is the same in each run of the program (FNV-1a, 64 bits); it does not protect secrets from
/// an attacker.
enum StableHash {
  static func of(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}

/// A secret value, which is sent, but does not appear in logs, errors, recordings or descriptions.
public struct Sensitive: Sendable, Hashable {
  /// The secret itself.
  public let value: String

  /// Creates a secret value from a text.
  public init(_ value: String) {
    self.value = value
  }
}

extension Sensitive: Codable {
  /// Decodes a text.
  public init(from decoder: any Decoder) throws { value = try String(from: decoder) }

  /// Encodes the text itself, for a request's body or a place such as the Keychain.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Sensitive: Described {
  /// The mask `***` instead of the secret.
  public var description: String { Redaction.mask }
}
