import Foundation

/// The common prefix of an API's URLs, before each endpoint's path: `https://api.github.com`.
///
/// It is validated when it is created: its scheme is `http` or `https`, it has a host, and it has no user,
/// query or fragment. Its path, if any, precedes each endpoint's path.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// The host, followed by the port if it is not the scheme's default.
  package let authority: String
  /// The path that every endpoint's path is appended to; empty, or without a trailing slash.
  package let pathPrefix: String

  /// Creates a base URL from a text from outside the program.
  ///
  /// Pass a variable: `BaseURL("…")` is a literal, with or without `try` (SE-0213), and a malformed
  /// literal ends the process.
  ///
  /// - Throws: ``URLParsingError``, which quotes the text without its password.
  public init(_ text: String) throws(URLParsingError) {
    func malformed(_ reason: String) -> URLParsingError {
      URLParsingError(text: Self.shown(text), reason: reason, expected: .base)
    }
    guard !text.isEmpty else { throw malformed("it is empty") }
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
      throw malformed("it is not a URL (RFC 3986)")
    }
    guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw malformed("it must begin with http:// or https://")
    }
    guard parts.user == nil, parts.password == nil else {
      throw malformed("it must not contain a user or a password")
    }
    guard parts.query == nil, parts.fragment == nil else {
      throw malformed("it must not contain a query or a fragment")
    }
    guard let host = parts.percentEncodedHost, !host.isEmpty, !host.contains("%") else {
      throw malformed("its host is missing or is not in ASCII")
    }
    // `port` is `nil` for a port that is too long for an `Int`.
    let hasPort = parts.rangeOfPort.map { !$0.isEmpty } ?? false
    guard !hasPort || (1...65535).contains(parts.port ?? 0) else {
      throw malformed("the port must be between 1 and 65535")
    }
    self.scheme = scheme
    let defaultPort = scheme == "https" ? 443 : 80
    let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
    authority = host.lowercased() + port
    pathPrefix = String(parts.percentEncodedPath.reversed().drop { $0 == "/" }.reversed())
  }

  /// Returns a text without a possible password: a malformed text can't be parsed reliably, so all text
  /// between the scheme and the last `@` is removed.
  static func shown(_ text: String) -> String {
    let text = Redaction().redacting(url: text)
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text.range(of: "://").flatMap {
      $0.upperBound <= at ? text[..<$0.upperBound] : nil
    }
    return String((scheme ?? "") + text[text.index(after: at)...])
  }

  /// The URL without a trailing slash.
  public var description: String { "\(scheme)://\(authority)\(pathPrefix)" }
}

extension BaseURL: ExpressibleByStringLiteral {
  /// Creates a base URL from a literal.
  ///
  /// - Precondition: The literal is well-formed. For a text from outside the program, use ``init(_:)``.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
