public import Foundation

/// The part of an API's URLs that comes before every endpoint's path: `https://api.github.com`.
///
/// It is checked when it is made: the scheme is `http` or `https`, there is a host, and there is no
/// user, query or fragment. A path is kept and put before each endpoint's.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host, and the port where it is not the scheme's own, as they stand in a URL.
  public let authority: String
  /// The path that every endpoint's path is appended to; empty or without a slash at its end.
  public let pathPrefix: String

  /// Says why a text is not a base URL, and quotes it.
  public struct ParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
    /// The text that was given.
    public let text: String
    /// What is wrong with it.
    public let reason: String

    /// The whole sentence.
    public var description: String {
      "\"\(text)\" is not a base URL: \(reason). It should look like https://api.example.com/v1."
    }
    /// As ``description``.
    public var errorDescription: String? { description }
  }

  /// Creates a base URL from a text that came from outside.
  ///
  /// From a variable: `BaseURL("…")` with the text itself is a literal, with or without `try`
  /// (SE-0213), and a malformed literal ends the process.
  ///
  /// - Throws: ``ParsingError``, which quotes the text, without any password in it.
  public init(_ text: String) throws(ParsingError) {
    func malformed(_ reason: String) -> ParsingError {
      ParsingError(text: Self.shown(text), reason: reason)
    }
    guard !text.isEmpty else { throw malformed("it is empty") }
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
      throw malformed("it is not a URL (RFC 3986)")
    }
    guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw malformed("it must begin with http:// or https://")
    }
    guard parts.user == nil, parts.password == nil else {
      throw malformed("a user or a password does not belong into it")
    }
    guard parts.query == nil, parts.fragment == nil else {
      throw malformed("a query or a fragment does not belong into it")
    }
    guard let host = parts.percentEncodedHost, !host.isEmpty, !host.contains("%") else {
      throw malformed("it has no host, or one that is not in ASCII")
    }
    // A port too long for a number is there, and yet `nil`.
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

  /// The text without what may be a password: a malformed text has no reliable parts, so that
  /// everything before the last `@` goes, but the scheme.
  private static func shown(_ text: String) -> String {
    let text = Redaction().redacting(url: text)
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text.range(of: "://").flatMap {
      $0.upperBound <= at ? text[..<$0.upperBound] : nil
    }
    return String((scheme ?? "") + text[text.index(after: at)...])
  }

  /// The URL without a slash at its end.
  public var description: String { "\(scheme)://\(authority)\(pathPrefix)" }
}

extension BaseURL: ExpressibleByStringLiteral {
  /// Creates a base URL from a literal in the program.
  ///
  /// - Precondition: It is well-formed. Use ``init(_:)`` for a text that came from outside.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
