import Foundation

/// The common prefix of an API's URLs, before each endpoint's path: `https://api.github.com`.
///
/// It is validated when it is created: its scheme is `http` or `https`, it has a host, and it has no user,
/// query or fragment. Its path, if any, precedes each endpoint's path. A host with other characters than ASCII gets its
/// ASCII form (RFC 5891): `bücher.example` becomes `xn--bcher-kva.example`.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host, followed by the port if it is not the scheme's default.
  public let authority: String
  /// The path that every endpoint's path is appended to; empty, or without a trailing slash.
  let pathPrefix: String

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
    var ascii = text
    if let start = text.range(of: "://")?.upperBound {
      let authority = text[start...].prefix { !"/?#".contains($0) }
      guard let converted = HostEncoding.ascii(authority) else {
        throw malformed("its host has no form in ASCII, such as xn--bcher-kva.example (RFC 5890)")
      }
      ascii.replaceSubrange(authority.startIndex..<authority.endIndex, with: converted)
    }
    guard let parts = URLComponents(string: ascii, encodingInvalidCharacters: false) else {
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
    // `percentEncodedHost` decodes labels that begin with `xn--`.
    guard let host = parts.encodedHost, !host.isEmpty, !host.contains("%") else {
      throw malformed("its host is missing or malformed")
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
