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

/// A parser of `Link` header fields (RFC 8288 appendix B), which continues after malformed links.
struct WebLinkReader {
  private var reader: FieldReader

  init(_ value: String) {
    reader = FieldReader(value)
  }

  /// Returns all links.
  mutating func links() -> [WebLink] {
    var links: [WebLink] = []
    while !reader.isAtEnd {
      if let link = link() { links.append(link) }
      skipToNextLink()
    }
    return links
  }

  private mutating func link() -> WebLink? {
    reader.skipSpaces()
    guard reader.take("<") else { return nil }
    let target = reader.text { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    // An unfinished target ends at the start of the next target.
    guard reader.take(">") else { return nil }
    var parameters: [String: String] = [:]
    while let (name, value) = parameter() {
      if parameters[name] == nil { parameters[name] = value }
    }
    let relations = (parameters["rel"] ?? "").split(whereSeparator: \.isWhitespace)
    guard !relations.isEmpty else { return nil }
    return WebLink(target, relations: relations.map { String($0) }, parameters: parameters)
  }

  /// Parses `; name=value`, `; name="value"`, `; name='value'` or `; name`.
  private mutating func parameter() -> (name: String, value: String)? {
    reader.skipSpaces()
    guard reader.take(";") else { return nil }
    reader.skipSpaces()
    let name = reader.text { !FieldReader.isSpace($0) && !"=;,".utf8.contains($0) }
    reader.skipSpaces()
    var value = ""
    if reader.take("=") {
      reader.skipSpaces()
      value = reader.next == UInt8(ascii: "\"") ? reader.quotedText() : plainText()
    }
    return (name.lowercased(), value)
  }

  private mutating func plainText() -> String {
    let text = reader.text { !";,".utf8.contains($0) }
    let trailing = text.utf8.reversed().prefix(while: FieldReader.isSpace).count
    let value = text.dropLast(trailing)
    // Some servers and proxies quote with apostrophes, which RFC 8288 makes part of the value.
    let isQuoted = value.count > 1 && value.first == "'" && value.last == "'"
    return String(isQuoted ? value.dropFirst().dropLast() : value)
  }

  /// Skips the rest of a link: up to and including the next comma outside quotes, or up to the next target.
  private mutating func skipToNextLink() {
    while let byte = reader.next, byte != UInt8(ascii: "<") {
      if byte == UInt8(ascii: "\"") {
        _ = reader.quotedText()
      } else {
        reader.skip()
        if byte == UInt8(ascii: ",") { return }
      }
    }
  }
}
