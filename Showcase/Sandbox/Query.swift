import Foundation

/// A query parsed by the rules of Rails: the last value of a name wins, and no query is malformed.
struct Query: Sendable {
  private(set) var items: [URLQueryItem]

  init(_ text: String) {
    items = URLComponents(string: "?\(text.replacing("+", with: "%20"))")?.queryItems ?? []
  }

  /// The value of a name; an empty value is treated as missing.
  subscript(name: String) -> String? {
    items.last { $0.name == name }?.value.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the query with one item replaced and moved to the end.
  func replacing(_ name: String, with value: String) -> Query {
    var query = self
    query.items = items.filter { $0.name != name } + [URLQueryItem(name: name, value: value)]
    return query
  }

  /// The query, encoded again, so that a client's bytes can't inject into a header field.
  var text: String {
    var components = URLComponents()
    components.queryItems = items
    return components.percentEncodedQuery?.replacing("+", with: "%2B") ?? ""
  }
}
