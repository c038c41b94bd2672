public import Foundation

/// A URL that a server or a user supplied, such as a pre-signed link, or a reference relative to the
/// client's base URL (RFC 3986 section 4.1), for ``Path/url(_:)``.
///
/// ```swift
/// let report = Request<Data>.get(.url(try URLReference(link)))
/// ```
///
/// The path and the query of an absolute URL are sent unchanged, so that a signature stays valid; only
/// characters that no URL can contain are percent-encoded. A fragment is removed.
///
/// The URL may be a secret: descriptions mask the values of ``Redaction/queryItems``.
public struct URLReference: Sendable, Hashable {
  let parts: Parts

  /// The percent-encoded text without a fragment; it contains secrets, so don't log it.
  public var text: String { parts.text }

  /// Creates a reference from a text from outside the program.
  ///
  /// Pass a variable: `URLReference("…")` is a literal, with or without `try` (SE-0213), and a
  /// malformed literal ends the process.
  ///
  /// - Throws: ``URLParsingError`` for an empty text, a scheme other than `http` and `https`, a malformed
  ///   host or port, a user or a password.
  public init(_ text: String) throws(URLParsingError) {
    var encoded = ""
    // Servers send unencoded spaces and UTF-8. Foundation would encode them, but it would also
    // encode existing escapes a second time.
    PercentEncoding.reference.append(String(text.prefix { $0 != "#" }), to: &encoded)
    parts = Parts(encoded[...])
    if let fault = text.isEmpty ? "it is empty" : parts.fault {
      throw URLParsingError(text: BaseURL.shown(text), reason: fault)
    }
  }

  /// Creates a reference from a URL.
  ///
  /// - Throws: ``URLParsingError``, like ``init(_:)-(String)``.
  public init(_ url: URL) throws(URLParsingError) { try self.init(url.absoluteString) }

  init(_ parts: Parts) {
    self.parts = parts
  }
}

extension URLReference: ExpressibleByStringLiteral {
  /// Creates a reference from a literal.
  ///
  /// - Precondition: The literal is well-formed. For a text from outside the program, use
  ///   ``init(_:)-(String)``.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension URLReference: Described {
  /// The text, with secret query items masked.
  public var description: String {
    var masks = Redaction()
    if let redaction = parts.redaction { masks.formUnion(redaction) }
    return masks.redacting(url: text)
  }
}

extension URLReference {
  /// The parts of a reference (RFC 3986 section 4.1); a class, to keep each ``Path`` small.
  final class Parts: Sendable {
    let text: String
    let scheme: String?
    let authority: String?
    let path: String
    /// The query with its question mark; empty without a query.
    let query: String
    /// An additional redaction for texts about the URL, from the response that contained it.
    let redaction: Redaction?
    /// Whether the link came from a response of another origin, such as after a redirect.
    let isFromElsewhere: Bool

    /// Splits a percent-encoded text like RFC 3986's appendix B.
    init(_ text: Substring, redaction: Redaction? = nil, isFromElsewhere: Bool = false) {
      var rest = text
      let first = rest.prefix { !"/?:".contains($0) }
      if first.endIndex < rest.endIndex, rest[first.endIndex] == ":" {
        scheme = first.lowercased()
        rest = rest[rest.index(after: first.endIndex)...]
      } else {
        scheme = nil
      }
      var start = String(text[..<rest.startIndex])
      if rest.hasPrefix("//") {
        let authority = rest.dropFirst(2).prefix { !"/?".contains($0) }
        let ascii = HostEncoding.ascii(authority) ?? String(authority)
        self.authority = ascii
        start += "//" + ascii
        rest = rest[authority.endIndex...]
      } else {
        authority = nil
      }
      // Brackets are only valid for IP addresses in hosts; `URLSession` rejects them elsewhere.
      rest = rest.replacing("[", with: "%5B").replacing("]", with: "%5D")
      let path = rest.prefix { $0 != "?" }
      self.path = String(path)
      query = String(rest[path.endIndex...])
      self.text = String(start + rest)
      self.redaction = redaction
      self.isFromElsewhere = isFromElsewhere
    }

    /// The reason why the reference can't be resolved to an http or https URL; `nil` if it is valid.
    var fault: String? {
      if let scheme, scheme != "http", scheme != "https" {
        return "it must begin with http:// or https://, or be relative"
      }
      guard scheme != nil || authority != nil else { return nil }
      do {
        _ = try BaseURL("\(scheme ?? "https")://\(authority ?? "")")
        return nil
      } catch {
        return error.reason
      }
    }
  }
}

extension URLReference.Parts: Hashable {
  static func == (one: URLReference.Parts, other: URLReference.Parts) -> Bool {
    one.text == other.text
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension URLReference {
  /// The path and query of the request target; relative for a relative reference.
  package var pathAndQuery: String { parts.path + parts.query }

  /// Returns this reference resolved against a base (RFC 3986 section 5.2).
  ///
  /// The path of an absolute URL is unchanged, including its dot segments; other paths are resolved against
  /// the base's path, and their dot segments are removed.
  func target(from base: BaseURL.Target) -> BaseURL.Target? {
    let (scheme, authority, path, query) = (
      parts.scheme, parts.authority, parts.path, parts.query
    )
    guard scheme == nil, authority == nil else {
      guard let url = try? BaseURL("\(scheme ?? base.scheme)://\(authority ?? "")") else {
        return nil
      }
      return BaseURL.Target(
        scheme: url.scheme, authority: url.authority, path: (path.isEmpty ? "/" : path) + query)
    }
    let basePath = base.path.prefix { $0 != "?" }
    let resolved: String
    if path.isEmpty {
      resolved = query.isEmpty ? base.path : basePath + query
    } else {
      let folder =
        path.hasPrefix("/")
        ? "" : basePath.prefix(through: basePath.lastIndex(of: "/") ?? basePath.startIndex)
      resolved = Self.withoutDotSegments(folder + path) + query
    }
    return BaseURL.Target(scheme: base.scheme, authority: base.authority, path: resolved)
  }

  /// Returns a path without its segments `.` and `..` (RFC 3986 section 5.2.4).
  private static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (offset, segment) in segments.enumerated() {
      if segment == ".." { _ = kept.popLast() }
      if segment != "." && segment != ".." {
        kept.append(segment)
      } else if offset == segments.count - 1 {
        kept.append("")
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension BaseURL {
  /// The parts of an absolute http or https URL.
  struct Target {
    let scheme: String
    let authority: String
    /// The path with its query.
    let path: String

    func hasSameOrigin(as other: Target) -> Bool {
      scheme == other.scheme && authority == other.authority
    }
  }

  /// The base of relative references: the base URL with a slash at its end.
  var target: Target { Target(scheme: scheme, authority: authority, path: pathPrefix + "/") }
}
