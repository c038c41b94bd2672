import Foundation
import HTTPTypes

extension CachePolicy {
  /// Fields whose values are case-insensitive lists of names with parameters (RFC 9110 section 12.5).
  ///
  /// The order of the names is kept: servers use it to choose between equal preferences, though they should
  /// not.
  private static let caseless: Set<String> = [
    "accept-charset", "accept-encoding", "accept-language",
  ]

  /// Returns the normalised values of the request's fields that a response's `Vary` names (RFC 9111 section
  /// 4.1); `nil` for `Vary: *`, which also depends on other factors.
  static func variant(of head: HTTPResponse, to request: HTTPRequest) -> [String: String]? {
    var variant: [String: String] = [:]
    for name in head.headerFields.tokens(.vary) {
      if name == "*" { return nil }
      variant[name] = value(name, in: request.headerFields)
    }
    return variant
  }

  /// Returns whether a stored response matches a request: each field that its `Vary` names has the same value
  /// as in the original request, or is missing in both.
  static func matches(_ stored: StoredResponse, _ request: HTTPRequest) -> Bool {
    stored.head.headerFields.tokens(.vary).allSatisfy { name in
      name != "*"
        && stored.variant[name].map(Bytewise.init)
          == value(name, in: request.headerFields).map(Bytewise.init)
    }
  }

  /// Returns the index of the stored response for a request: the most recent match, with a preference for
  /// responses with `Vary` (RFC 9111 sections 4 and 4.1).
  func chosen(for request: HTTPRequest, among stored: [StoredResponse]) -> Int? {
    // Most URLs have a single response.
    if stored.count == 1 { return Self.matches(stored[0], request) ? 0 : nil }
    return stored.indices.filter { Self.matches(stored[$0], request) }
      .max { Self.isLess(stored[$0], stored[$1]) }
  }

  private static func isLess(_ one: StoredResponse, _ other: StoredResponse) -> Bool {
    let (varies, otherVaries) = (
      one.head.headerFields.contains(.vary), other.head.headerFields.contains(.vary)
    )
    if varies != otherVaries { return otherVaries }
    return isOlder(one, other)
  }

  /// Returns whether a response is older than another: by `Date`, then by the time of its arrival.
  static func isOlder(_ one: StoredResponse, _ other: StoredResponse) -> Bool {
    let (date, otherDate) = (
      one.head.headerFields.date(.date, now: one.responseTime) ?? one.responseTime,
      other.head.headerFields.date(.date, now: other.responseTime) ?? other.responseTime
    )
    return (date, one.responseTime) < (otherDate, other.responseTime)
  }

  /// Returns a field's normalised value: its lines joined, without white space around commas; `nil` if it is
  /// missing.
  private static func value(_ name: String, in fields: HTTPFields) -> String? {
    guard let name = HTTPField.Name(name) else { return nil }
    let lines = fields[fields: name].map(\.distinctValue)
    guard !lines.isEmpty else { return nil }
    let value = lines.joined(separator: ",")
    return caseless.contains(name.canonicalName)
      ? compact(value.lowercased(), around: ",;") : compact(value, around: ",")
  }

  /// Removes the white space around delimiters outside of quoted strings, and at both ends.
  private static func compact(_ value: String, around delimiters: String) -> String {
    guard value.utf8.contains(where: { FieldReader.isSpace($0) }) else { return value }
    var reader = FieldReader(value)
    var (result, spaces) = ("", "")
    while let byte = reader.next {
      if FieldReader.isSpace(byte) {
        spaces += reader.text(while: FieldReader.isSpace)
      } else if delimiters.utf8.contains(byte) {
        result += reader.delimiter()
        (spaces, _) = ("", reader.skipSpaces())
      } else {
        result += (result.isEmpty ? "" : spaces) + reader.quotedOrPlainText(before: delimiters)
        spaces = ""
      }
    }
    return result
  }
}

extension FieldReader {
  /// Reads a character of one byte.
  fileprivate mutating func delimiter() -> String {
    let text = String(Substring(rest.prefix(1)))
    skip()
    return text
  }

  /// Reads a quoted string with its quotes, or text up to white space, a quote or a delimiter.
  fileprivate mutating func quotedOrPlainText(before delimiters: String) -> String {
    guard next == UInt8(ascii: "\"") else {
      return text { byte in
        !Self.isSpace(byte) && byte != UInt8(ascii: "\"") && !delimiters.utf8.contains(byte)
      }
    }
    let start = rest
    _ = quotedText()
    return String(Substring(start[..<rest.startIndex]))
  }
}
