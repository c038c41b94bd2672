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
