public import HTTPTypes

/// A link in a response's `Link` header field (RFC 8288): its target, and its relation types.
///
/// ```swift
/// let response = try await client.response(for: GitHub.issues(of: name))
/// let page = response.head.headerFields.links.next?["page"]
/// ```
///
/// `client.pages(of:)` follows the links to the next page; `response.url(of: link)` returns a link's URL.
public struct WebLink: Sendable, Hashable {
  /// The target: a URL, or a reference relative to the request's URL.
  public let target: String
  /// The relation types in lowercase: `next`, `last`, ...
  public let relations: [String]
  /// The parameters by their names in lowercase; for a repeated name, the first value.
  public let parameters: [String: String]

  /// Creates a link.
  init(_ target: String, relations: [String], parameters: [String: String] = [:]) {
    self.target = target
    self.relations = relations.map { $0.lowercased() }
    self.parameters = parameters
  }

  /// The value of a query item of the target; for a repeated name, the first value.
  public subscript(queryItem: String) -> String? { Query.value(of: queryItem, in: target) }
}

extension Query {
  /// Returns the value of a URL's first query item with a name.
  static func value(of name: String, in url: String) -> String? {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    for item in query.split(separator: "&") {
      let encoded = item.prefix { $0 != "=" }
      guard PercentEncoding.decoded(encoded, plusIsSpace: true).elementsEqual(name.utf8) else {
        continue
      }
      let value = item[encoded.endIndex...].dropFirst()
      return String(decoding: PercentEncoding.decoded(value, plusIsSpace: true), as: UTF8.self)
    }
    return nil
  }
}

extension [WebLink] {
  /// The link to the next page.
  public var next: WebLink? { self[relation: "next"] }
  /// The link to the previous page.
  var previous: WebLink? { self[relation: "prev"] ?? self[relation: "previous"] }

  /// The first link with this relation type, regardless of case.
  public subscript(relation name: String) -> WebLink? {
    // A link with an anchor has another context than the response (RFC 8288 section 3.2).
    first { $0.relations.contains(name.lowercased()) && $0.parameters["anchor"] == nil }
  }
}

extension HTTPFields {
  /// The links of all `Link` fields, in order; malformed links are ignored.
  public var links: [WebLink] {
    guard let name = HTTPField.Name("Link") else { return [] }
    return self[values: name].flatMap { value in
      var reader = WebLinkReader(value)
      return reader.links()
    }
  }
}
