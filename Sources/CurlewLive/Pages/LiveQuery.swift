import Foundation

/// The names and values of an address's query, in order.
public struct LiveQuery: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The names and values, decoded.
  public let items: [(name: String, value: String)]

  init(items: [(name: String, value: String)]) {
    self.items = items
  }

  /// Creates a query; items whose value is `nil` are omitted.
  public init(dictionaryLiteral elements: (String, String?)...) {
    items = elements.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Creates a query by parsing text that is encoded as in browsers: `+` is a space, and items that
  /// can't be decoded are omitted.
  public init(_ text: some StringProtocol) {
    let text = String(text.hasPrefix("?") ? text.dropFirst() : text[...])
    items = text.split(separator: "&").compactMap { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).replacing("+", with: " ").removingPercentEncoding }
      guard let name = parts[0] else { return nil }
      guard parts.count == 2 else { return (name, "") }
      return parts[1].map { (name, $0) }
    }
  }

  /// The first value with a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The encoded query with its question mark, such as `?q=apple/swift`; empty without items.
  public var text: String {
    guard !items.isEmpty else { return "" }
    // A query may contain slashes and colons (RFC 3986 section 3.4), which are easier to read.
    let kept = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:")
    let encode = { (text: String) in
      text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
    }
    return "?" + items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// Whether two queries have the same items in the same order.
  public static func == (lhs: LiveQuery, rhs: LiveQuery) -> Bool {
    lhs.items.elementsEqual(rhs.items, by: ==)
  }
}
