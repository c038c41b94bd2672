public import Foundation

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

/// An error for a text that is not a valid http or https URL, or not the address of a proxy; it contains the text and
/// the reason.
public struct URLParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The text that could not be parsed, with secrets masked.
  public let text: String
  /// The reason why the text can't be used.
  public let reason: String
  /// The kind of URL that was expected.
  var expected = Expected.reference

  enum Expected {
    case base, reference, proxy
  }

  /// A sentence with the text and the reason; for a base URL and a proxy, also an example.
  public var description: String {
    let (name, example) =
      switch expected {
      case .base: ("a base URL", " It should look like https://api.example.com/v1.")
      case .reference: ("a URL to send requests to", "")
      case .proxy:
        ("the address of a proxy", " It should look like http://proxy.example.com:3128.")
      }
    return "\"\(text)\" is not \(name): \(reason).\(example)"
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// Encodes internationalized host names in ASCII (RFC 5891).
enum HostEncoding {
  /// Returns an authority, which may be percent-encoded, with its host in ASCII; `nil` if Foundation can't convert it.
  ///
  /// A host in ASCII, and an authority with a user, is returned unchanged.
  static func ascii(_ authority: Substring) -> String? {
    let name = authority.prefix { $0 != ":" }
    guard !authority.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }),
      let decoded = name.removingPercentEncoding, !decoded.utf8.allSatisfy({ $0 < 0x80 }),
      !authority.contains("@")
    else { return String(authority) }
    // Other characters than a name's could end the host, also those that its conversion creates.
    guard decoded.utf8.allSatisfy({ $0 >= 0x80 || isInName($0) }),
      let parts = URLComponents(string: "https://\(decoded)", encodingInvalidCharacters: true),
      let host = parts.encodedHost, !host.isEmpty, host.utf8.allSatisfy(isInName)
    else { return nil }
    return host + authority[name.endIndex...]
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._".utf8.contains(byte)
  }
}
