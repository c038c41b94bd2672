import Foundation
public import HTTPTypes

/// Which header fields and query items are secret, and how they are kept out of texts.
public struct Redaction: Sendable, Hashable {
  /// Header fields whose values are secret.
  public var headerFields: Set<HTTPField.Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
    HTTPField.Name("X-Api-Key") ?? .authorization,
  ]

  /// Query items whose values are secret, in lower case.
  public var queryItems: Set<String> = [
    "access_token", "api_key", "apikey", "client_secret", "key", "password", "refresh_token",
    "secret", "sig", "signature", "token",
  ]

  /// Creates the redaction that a client has by default.
  public init() {}

  static let mask = "***"

  /// Returns header fields with a mask for each secret value.
  public func redacting(_ fields: HTTPFields) -> HTTPFields {
    var result = HTTPFields()
    for var field in fields {
      if headerFields.contains(field.name) { field.value = Self.mask }
      result.append(field)
    }
    return result
  }

  /// Returns a URL, or a part of one, with a mask for each secret value in its query.
  public func redacting(url: String) -> String {
    let text = Self.withoutUserInfo(url)
    guard let mark = text.firstIndex(of: "?") else { return text }
    let query = text[text.index(after: mark)...]
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else {
        return String(item)
      }
      return item[...equals] + Self.mask
    }
    return text[...mark] + items.joined(separator: "&")
  }

  /// Returns a text with a mask wherever one of the request's secret values stands in it, because
  /// servers and transports quote what they were sent.
  func redacting(_ text: String, secretsOf request: HTTPRequest) -> String {
    secrets(of: request).reduce(text) { $0.replacing($1, with: Self.mask) }
  }

  /// Does the same for bytes.
  func redacting(_ data: Data, secretsOf request: HTTPRequest) -> Data {
    var result = data
    for secret in secrets(of: request) {
      while let range = result.firstRange(of: Data(secret.utf8)) {
        result.replaceSubrange(range, with: Data(Self.mask.utf8))
      }
    }
    return result
  }

  /// The secret values that a request carries, the longest first.
  private func secrets(of request: HTTPRequest) -> [String] {
    var secrets: Set<String> = []
    for field in request.headerFields where headerFields.contains(field.name) {
      secrets.insert(field.value)
      // "Bearer abc": the credentials are secret without the scheme's name, too.
      if let space = field.value.firstIndex(of: " ") {
        secrets.insert(String(field.value[field.value.index(after: space)...]))
      }
    }
    let query = request.path.flatMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first }
    for item in (query ?? "").split(separator: "&") {
      guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { continue }
      let value = String(item[item.index(after: equals)...])
      secrets.insert(value)
      secrets.insert(value.removingPercentEncoding ?? value)
    }
    // Masking a very short value would blank letters all over an honest text.
    return secrets.filter { $0.utf8.count >= 4 && !Self.mask.contains($0) }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  private func isSecret(_ encodedName: Substring) -> Bool {
    let name = String(encodedName)
    return queryItems.contains((name.removingPercentEncoding ?? name).lowercased())
  }

  /// Returns a URL with no user and password in it.
  static func withoutUserInfo(_ url: String) -> String {
    guard let scheme = url.range(of: "://") else { return url }
    let rest = url[scheme.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return String(url[..<scheme.upperBound] + rest[rest.index(after: at)...])
  }
}
