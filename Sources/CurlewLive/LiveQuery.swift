import Foundation

/// The names and values after the `?` of a page's address, in order.
public struct LiveQuery: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The names and values, decoded.
  public let items: [(name: String, value: String)]

  init(items: [(name: String, value: String)]) {
    self.items = items
  }

  /// Creates a query; items whose value is `nil` are left out.
  public init(dictionaryLiteral elements: (String, String?)...) {
    items = elements.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads a query as browsers write it: `+` is a space, and what can't be decoded is left out.
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

  /// The first value by a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The query as it stands in an address: `?q=apple/swift`, or nothing.
  public var text: String {
    guard !items.isEmpty else { return "" }
    // Slashes and colons may stand in a query (RFC 3986 section 3.4), and read better.
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
