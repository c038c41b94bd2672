public import HTTPTypes

/// A link in a response's `Link` header field (RFC 8288): where it leads, and what is there.
///
/// ```swift
/// let response = try await client.response(for: GitHub.issues(of: name))
/// let page = response.head.headerFields.links.next?["page"]
/// ```
public struct WebLink: Sendable, Hashable {
  /// Where it leads: a URL, or a reference relative to the URL that was asked.
  public let target: String
  /// What is there for the response: `next`, `last`, ...; in lower case.
  public let relations: [String]
  /// All that was said of the link, by names in lower case; the first where a name is repeated.
  public let parameters: [String: String]

  /// Creates a link.
  public init(_ target: String, relations: [String], parameters: [String: String] = [:]) {
    self.target = target
    self.relations = relations.map { $0.lowercased() }
    self.parameters = parameters
  }

  /// The value of an item of the target's query; the first where a name is repeated.
  public subscript(queryItem: String) -> String? {
    let url = target.prefix { $0 != "#" }
    guard let mark = url.firstIndex(of: "?") else { return nil }
    for item in url[mark...].dropFirst().split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      guard PercentEncoding.decoded(name, plusIsSpace: true).elementsEqual(queryItem.utf8)
      else { continue }
      let value = item[name.endIndex...].dropFirst()
      return String(decoding: PercentEncoding.decoded(value, plusIsSpace: true), as: UTF8.self)
    }
    return nil
  }
}

extension [WebLink] {
  /// The page after this one.
  public var next: WebLink? { self[relation: "next"] }
  /// The page before this one.
  public var previous: WebLink? { self[relation: "prev"] ?? self[relation: "previous"] }

  /// The first link to what stands in this relation to the response, whatever the case of its name.
  public subscript(relation name: String) -> WebLink? {
    // A link with an anchor is about something else than the response (RFC 8288 section 3.2).
    first { $0.relations.contains(name.lowercased()) && $0.parameters["anchor"] == nil }
  }
}

extension HTTPFields {
  /// The links of all `Link` fields, in their order; what is malformed is left out.
  public var links: [WebLink] {
    guard let name = HTTPField.Name("Link") else { return [] }
    return self[values: name].flatMap { value in
      var reader = WebLinkReader(value)
      return reader.links()
    }
  }
}
