import Foundation

/// A query as Rails reads it: the last value of a name wins, and nothing is malformed.
struct Query: Sendable {
  private(set) var items: [(name: String, value: String)]

  init(_ text: String) {
    items = text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decode(parts[0]), parts.count > 1 ? Self.decode(parts[1]) : "")
    }
  }

  /// The value of a name; an empty one counts as none.
  subscript(name: String) -> String? {
    items.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The same query with one item at its old place, or at the end where it is new.
  func replacing(_ name: String, with value: String) -> Query {
    var query = self
    guard let index = items.firstIndex(where: { $0.name == name }) else {
      query.items.append((name, value))
      return query
    }
    query.items[index].value = value
    let kept = query.items.enumerated().filter { $0.offset <= index || $0.element.name != name }
    query.items = kept.map(\.element)
    return query
  }

  /// The query encoded again, so that no byte of a client's can end a header's link early.
  var text: String {
    items.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  private static func decode(_ text: Substring) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
