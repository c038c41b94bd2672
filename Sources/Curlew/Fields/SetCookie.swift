package import Foundation

/// A cookie from a `Set-Cookie` field (RFC 6265 section 4.1).
package struct SetCookie: Sendable, Hashable {
  /// The cookie's name; empty for a cookie without a name.
  var name: String
  /// The cookie's value.
  package var value: String
  /// The date at which the cookie expires; `nil` for a session cookie.
  package var expires: Date?
  /// The domain of the cookie, which includes its subdomains; `nil` for only the host that set the cookie.
  var domain: String?
  /// The path of the cookie, which includes all paths below it; `nil` for the default path.
  var path: String?
  /// Whether the cookie is sent only over https.
  var isSecure = false

  /// Parses the value of a `Set-Cookie` field like browsers (RFC 6265bis section 5.6): unknown and malformed
  /// attributes are ignored; returns `nil` for an empty name and value, more than 4,096 bytes or a control
  /// character.
  package init?(_ text: String, now: Date) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first else { return nil }
    let equals = pair.firstIndex(of: "=")
    name = Self.trimmed(pair[..<(equals ?? pair.startIndex)])
    value = Self.trimmed(pair[(equals.map { pair.index(after: $0) } ?? pair.startIndex)...])
    // Control characters would end the `Cookie` field.
    guard 1...4_096 ~= name.utf8.count + value.utf8.count,
      !(name + value).unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { return nil }
    var maxAge: Date?
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let argument = sides.count == 2 ? Self.trimmed(sides[1]) : ""
      // Browsers ignore longer attributes (RFC 6265bis section 5.6).
      guard argument.utf8.count <= 1_024 else { continue }
      switch Self.trimmed(sides[0]).lowercased() {
      case "expires": expires = CookieDate.date(from: argument) ?? expires
      case "max-age":
        guard let seconds = Self.seconds(argument) else { break }
        maxAge = seconds <= 0 ? .distantPast : now.addingTimeInterval(Double(seconds))
      case "domain":
        let bare = argument.hasPrefix(".") ? String(argument.dropFirst()) : argument
        domain = bare.isEmpty ? nil : bare.lowercased()
      case "path": path = argument.hasPrefix("/") ? argument : nil
      case "secure": isSecure = true
      default: break
      }
    }
    expires = maxAge ?? expires
  }

  /// Splits values that `URLSession` joined with commas: a comma before a name and `=` separates two
  /// values, a comma in a date does not.
  package static func values(in joined: String) -> [String] {
    var values: [String] = []
    var start = joined.startIndex
    // A limit above any real response: `HTTPFields` ends the process at 65,535 fields.
    for comma in joined.indices where joined[comma] == "," && values.count < 1_000 {
      var reader = FieldReader(joined[joined.index(after: comma)...])
      reader.skipSpaces()
      guard !reader.token().isEmpty, reader.next == UInt8(ascii: "=") else { continue }
      values.append(trimmed(joined[start..<comma]))
      start = joined.index(after: comma)
    }
    return values + [trimmed(joined[start...])]
  }

  private static func seconds(_ text: String) -> Int? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    // At most a century.
    return Int(text).map { min($0, 3_155_760_000) } ?? (text.hasPrefix("-") ? -1 : 3_155_760_000)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }
}

/// Parses the dates in cookies, whose parts have any order and any separators (RFC 6265 section 5.1.1).
enum CookieDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  static func date(from text: String) -> Date? {
    var (time, day, month, year) = ([Int]?.none, Int?.none, Int?.none, Int?.none)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = self.time(token) {
        time = found
      } else if day == nil, let found = number(token, 1...2) {
        day = found
      } else if month == nil,
        let found = months.firstIndex(
          of: String(decoding: token.prefix(3), as: UTF8.self).lowercased())
      {
        month = found
      } else if year == nil, let found = number(token, 2...4) {
        year = found < 70 ? found + 2_000 : found < 100 ? found + 1_900 : found
      }
    }
    guard let time, let day, let month, let year, year >= 1_601 else { return nil }
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let name = months[month].capitalized
    return HTTPDate.date(
      from: "Thu, \(two(day)) \(name) \(year) \(two(time[0])):\(two(time[1])):\(two(time[2])) GMT")
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  private static func time(_ token: Substring.UTF8View) -> [Int]? {
    let parts = token.split(
      separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0, 1...2) }
    return parts.count == 3 && numbers.count == 3 && parts[..<2].allSatisfy { $0.count <= 2 }
      ? numbers : nil
  }

  /// Returns the number at the start of a token, which may be followed by anything but a digit.
  private static func number(_ token: Substring.UTF8View, _ length: ClosedRange<Int>) -> Int? {
    let digits = token.prefix { (0x30...0x39).contains($0) }
    return length.contains(digits.count) ? Int(Substring(digits)) : nil
  }
}
