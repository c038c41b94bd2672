import Foundation

/// A query as Rails reads it: the last value of a name wins, and nothing is malformed.
struct Query: Sendable {
  private(set) var items: [URLQueryItem]

  init(_ text: String) {
    items = URLComponents(string: "?\(text.replacing("+", with: "%20"))")?.queryItems ?? []
  }

  /// The value of a name; an empty one counts as none.
  subscript(name: String) -> String? {
    items.last { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The same query with one item, at the end.
  func replacing(_ name: String, with value: String) -> Query {
    var query = self
    query.items = items.filter { $0.name != name } + [URLQueryItem(name: name, value: value)]
    return query
  }

  /// The query encoded again, so that no byte of a client's can end a header's link early.
  var text: String {
    var components = URLComponents()
    components.queryItems = items
    return components.percentEncodedQuery?.replacing("+", with: "%2B") ?? ""
  }
}
