import Foundation
import HTTPTypes

/// The cache directives of a request or a response, from `Cache-Control` (RFC 9111 section 5.2).
///
/// Of conflicting directives, the most restrictive applies (section 4.2.1): the shortest of several
/// lifetimes, or a lifetime of zero if one of them is not a number.
struct CacheControl: Sendable, Hashable {
  /// A member of the list.
  struct Directive: Sendable, Hashable {
    /// The name, in lowercase.
    let name: String
    /// The argument, without its quotes; `nil` if there is none.
    var argument: String?
    /// Whether the directive contains no invalid text, such as spaces around `=`.
    var isWellFormed: Bool
  }

  /// The maximum number of seconds; larger numbers are reduced to it (RFC 9111 section 1.2.2).
  static let greatest = 2_147_483_648.0

  private var directives: [Directive] = []

  /// Parses the lines of the field.
  init(_ lines: [some StringProtocol]) {
    for line in lines {
      var reader = FieldReader(Substring(line))
      while !reader.isAtEnd {
        if let directive = Self.directive(&reader) { directives.append(directive) }
      }
    }
  }

  /// Returns whether there is a restricting directive of this name, such as `no-store`; an unexpected
  /// argument is ignored.
  func restricts(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// Returns whether there is a well-formed permitting directive of this name, such as `public`; malformed
  /// directives are ignored.
  func permits(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.isWellFormed }
  }

  /// Returns the shortest time of the directives of this name, in seconds; zero if one of them has no valid
  /// number, `nil` if there are none.
  func shortest(_ name: String) -> Double? {
    var shortest: Double?
    for directive in directives where directive.name == name {
      shortest = min(shortest ?? .infinity, Self.seconds(directive) ?? 0)
    }
    return shortest
  }

  /// Returns the longest time of the directives of this name, in seconds; infinity if one of them has no
  /// valid number, `nil` if there are none.
  func longest(_ name: String) -> Double? {
    var longest: Double?
    for directive in directives where directive.name == name {
      longest = max(longest ?? 0, Self.seconds(directive) ?? .infinity)
    }
    return longest
  }

  /// The number of seconds for which a request accepts a stale response: infinity without an argument (RFC
  /// 9111 section 5.2.1.2), `nil` if it accepts no stale response.
  var maxStale: Double? {
    var shortest: Double?
    for directive in directives where directive.name == "max-stale" {
      let isUnlimited = directive.argument == nil && directive.isWellFormed
      let seconds = isUnlimited ? .infinity : Self.seconds(directive) ?? 0
      shortest = min(shortest ?? .infinity, seconds)
    }
    return shortest
  }

  /// Whether `no-cache` applies to the whole response (RFC 9111 section 5.2.2.4).
  var noCache: Bool {
    directives.contains { $0.name == "no-cache" && Self.fieldNames($0).isEmpty }
  }

  /// The fields in `no-cache="…"`, in lowercase; they are not reused without validation (RFC 9111 section
  /// 5.2.2.4).
  var noCacheFields: Set<String> {
    Set(directives.filter { $0.name == "no-cache" }.flatMap(Self.fieldNames))
  }

  /// Parses a directive and the comma after it; returns `nil` for an empty or malformed member.
  private static func directive(_ reader: inout FieldReader) -> Directive? {
    reader.skipSpaces()
    let name = reader.token().lowercased()
    var argument: String?
    if !name.isEmpty, reader.take("=") {
      argument = reader.next == UInt8(ascii: "\"") ? reader.quotedText() : reader.token()
    }
    reader.skipSpaces()
    let isWellFormed = reader.isAtEnd || reader.next == UInt8(ascii: ",")
    // Quoted commas don't end a member, not even a malformed member: `x y="a, no-store"`.
    while let byte = reader.next {
      if byte == UInt8(ascii: "\"") {
        _ = reader.quotedText()
      } else {
        reader.skip()
        if byte == UInt8(ascii: ",") { break }
      }
    }
    return name.isEmpty
      ? nil : Directive(name: name, argument: argument, isWellFormed: isWellFormed)
  }

  /// Returns the number of seconds in a directive's argument: a token, or a quoted string, which recipients
  /// should accept (RFC 9111 section 5.2); `nil` for any other text, such as a negative number or a
  /// fraction.
  private static func seconds(_ directive: Directive) -> Double? {
    guard directive.isWellFormed, let argument = directive.argument else { return nil }
    return deltaSeconds(argument)
  }

  /// Parses a number of seconds (RFC 9111 section 1.2.2), at most ``greatest``; returns `nil` if the text
  /// is not a number.
  static func deltaSeconds(_ text: some StringProtocol) -> Double? {
    guard !text.isEmpty else { return nil }
    var seconds = 0.0
    for byte in text.utf8 {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
      seconds = min(greatest, seconds * 10 + Double(byte - UInt8(ascii: "0")))
    }
    return seconds
  }

  private static func fieldNames(_ directive: Directive) -> [String] {
    guard let argument = directive.argument else { return [] }
    return argument.split { ", \t".contains($0) }.map { $0.lowercased() }
  }
}

extension HTTPFields {
  /// The cache directives in these fields.
  var cacheControl: CacheControl { CacheControl(self[values: .cacheControl]) }

  /// The age of a response when it was sent, in seconds (RFC 9111 section 5.1): the first member of the
  /// first line; `nil` if this member is not a number of seconds.
  var ageInSeconds: Double? {
    guard let line = self[values: .age].first else { return nil }
    let member = line.prefix { $0 != "," }.drop { $0 == " " || $0 == "\t" }
    let end = member.lastIndex { $0 != " " && $0 != "\t" }
    return end.flatMap { CacheControl.deltaSeconds(member[...$0]) }
  }

  /// Returns the date in a field that has exactly one line with an HTTP date (RFC 9110 section 5.6.7);
  /// `nil` if the field is missing, repeated, or malformed.
  func date(_ name: HTTPField.Name, now: Date) -> Date? {
    let lines = self[values: name]
    return lines.count == 1 ? HTTPDate.strictDate(from: lines[0], now: now) : nil
  }

  /// Returns the members of a list of tokens in lowercase, such as `Connection` or `Vary`.
  func tokens(_ name: HTTPField.Name) -> [String] {
    self[values: name].flatMap { line in
      line.split { ", \t".contains($0) }.map { $0.lowercased() }
    }
  }
}

/// The way in which a call uses the cache.
public enum CacheMode: Sendable, Hashable {
  /// The standard behavior (RFC 9111): a fresh stored response, otherwise a validated or new response.
  case standard
  /// A response that the server validates or sends now, like a browser's reload. The call throws an error
  /// if the server can't be reached.
  ///
  /// A fresh `immutable` response is not validated (RFC 8246 section 2).
  case reload
  /// A stored response of any age, without validation; a new response only if the cache has none.
  ///
  /// Like a browser's history (RFC 9111 section 6), it shows the same content as before, even if directives
  /// such as `must-revalidate` forbid the use of a stale response.
  case cacheElseLoad
  /// A stored response of any age. If there is none, no request is sent, and the call throws
  /// ``Client/Error/notSent(_:)``.
  case cacheOnly
}
