import Foundation

/// The conversion of `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`, which Foundation doesn't expose.
enum SnakeCase {
  /// Returns `oneTwoThree` for `one_two_three`; leading and trailing underscores are kept.
  static func camelCase(_ key: String) -> String {
    guard let first = key.firstIndex(where: { $0 != "_" }),
      let last = key.lastIndex(where: { $0 != "_" })
    else { return key }
    let words = key[first...last].split(separator: "_")
    guard words.count > 1 else { return key }
    let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
    return String(key[..<first]) + joined + String(key[key.index(after: last)...])
  }
}
