import Curlew
import Foundation
import HTTPTypes

extension Redaction {
  /// Returns the secret values of a response's header fields, including secrets in redirect URLs.
  func secretValues(of fields: HTTPFields, now: Date) -> Set<String> {
    var secrets: Set<String> = []
    for field in fields where headerFields.contains(field.name) {
      guard field.name == .setCookie else {
        secrets.insert(field.value)
        continue
      }
      for cookie in SetCookie.values(in: field.value).compactMap({ SetCookie($0, now: now) }) {
        // The value of a deleted cookie is not a secret, and often a common word: `sid=deleted; Max-Age=0`. Short
        // values are often common words, too, such as a language. They are masked only in their own fields.
        let isSecret = cookie.expires.map { $0 <= now } != true && cookie.value.utf8.count >= 8
        if isSecret { secrets.insert(cookie.value) }
      }
    }
    for name in Self.urlFields {
      for url in fields[values: name] { secrets.formUnion(secretValues(inURL: url)) }
    }
    return secrets
  }

  /// The header fields whose value is a URL or starts with a URL.
  private static let urlFields: [HTTPField.Name] = [.location, .contentLocation, .referer]

  /// Returns the values of a URL's secret query items, and its password.
  func secretValues(inURL url: String) -> Set<String> {
    var secrets: Set<String> = []
    for item in url.split(whereSeparator: { "?&#".contains($0) }).dropFirst() {
      guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { continue }
      secrets.insert(String(item[item.index(after: equals)...]))
    }
    if let user = url.firstMatch(of: #/^[^/?#]*//([^/?#]*)@/#)?.output.1 {
      secrets.insert(String(user.drop { $0 != ":" }.dropFirst()))
    }
    return secrets
  }

  /// Returns header fields with secret fields masked, and with secret query items masked in all other fields.
  func redactingURLs(in fields: HTTPFields) -> HTTPFields {
    var result = HTTPFields()
    for var field in redacting(fields) {
      if Self.urlFields.contains(field.name) { field.value = redacting(url: field.value) }
      let text = Data(field.value.utf8)
      if let masked = redactingLinks(in: text) {
        field.value = String(decoding: masked, as: UTF8.self)
      }
      result.append(field)
    }
    return result
  }
}
