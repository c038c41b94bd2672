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
