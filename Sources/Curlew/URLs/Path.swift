/// A URL path below the base URL, in percent-encoded form (RFC 3986 section 3.3).
///
/// Each interpolated value is one segment, or a part of a segment, with any characters: `/`, `?`, `#`,
/// spaces, control characters and non-ASCII text are percent-encoded.
///
/// ```swift
/// let path: Path = "/repos/\(owner)/\(name)"
/// ```
///
/// A value that would be an empty segment, `.` or `..` can't be sent, because servers remove such segments
/// from a path even if they are percent-encoded (RFC 3986 section 6.2.2.3): sending the request throws
/// ``Client/Error/invalidRequest(_:)``. Use `\(raw: text)` for text that may contain several segments.
///
/// ``url(_:)`` also replaces the base URL, for a pre-signed link, or a link in a response.
public struct Path: Sendable, Hashable, CustomStringConvertible {
  /// The percent-encoded path, beginning with `/`; the URL of ``url(_:)``, with secrets masked.
  public let description: String

  /// The URL that replaces the base URL and the path; `nil` for a path below the base URL.
  package let url: URLReference?

  /// The reason why this path can't be sent: it is a URL, or servers would remove one of its segments;
  /// otherwise `nil`.
  let fault: String?

  /// Returns a URL as a replacement of the base URL and the path.
  ///
  /// The URL is sent unchanged, and the endpoint's query items, if any, are appended to its own items. A
  /// relative reference is resolved against the base URL with a slash at its end.
  ///
  /// Credentials that the client and its middlewares add are only sent to the base URL's origin (scheme,
  /// host and port): with an `https` base URL, an `http` URL gets no credentials. Credentials are
  /// `Authorization`, `Proxy-Authorization`, `Cookie`, the fields of ``Redaction/headerFields``, and the
  /// keys of `.apiKey`. ``Request/headerFields`` are sent to any URL.
  public static func url(_ url: URLReference) -> Path {
    Path(description: url.description, url: url, fault: nil)
  }

  /// Returns the path, or the URL including its secrets, followed by a query.
  func text(with query: Query) -> String {
    Self.appending(query, to: url?.text ?? description)
  }

  /// Returns the path below the base URL, or the URL's path, followed by a query.
  package func pathAndQuery(with query: Query) -> String {
    Self.appending(query, to: url?.pathAndQuery ?? description)
  }

  /// Returns a path or a URL with the items of a query appended.
  static func appending(_ query: Query, to text: String) -> String {
    guard !query.items.isEmpty else { return text }
    let mark =
      !text.utf8.contains(UInt8(ascii: "?"))
      ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
    return text + mark + query.encoded
  }
}

extension Path: ExpressibleByStringInterpolation {
  /// Creates a path from a string literal.
  ///
  /// - Precondition: The text contains neither `?` nor `#`; use ``Request/query`` for a query.
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(
      literalCapacity: value.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Creates a path from an interpolated string.
  public init(stringInterpolation: StringInterpolation) {
    var encoded = stringInterpolation.encoded
    let start = encoded.prefix { $0 != "/" }
    let isURL = start.hasSuffix(":") && encoded[start.endIndex...].hasPrefix("//")
    if encoded.utf8.first != UInt8(ascii: "/") { encoded = "/" + encoded }
    description = encoded
    url = nil
    fault =
      isURL
      ? "its path is a URL: pass `.url(URLReference(…))` instead" : stringInterpolation.fault
  }

  /// The literal text and the values of an interpolated path.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var encoded = ""
    /// The values that are empty or consist of dots, with their offsets; nearly always empty.
    private var emptyOrDotValues: [(offset: Int, value: String)] = []

    /// Creates an empty interpolation with capacity for this much text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) {
      precondition(
        !literal.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") },
        "The path \"\(literal)\" contains a query or a fragment: pass query items as `query`."
      )
      PercentEncoding.pathText.append(literal, to: &encoded)
    }

    /// Appends a value as one segment, or a part of a segment.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      if text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) {
        emptyOrDotValues.append((encoded.utf8.count, text))
        encoded += String(repeating: "%2E", count: text.utf8.count)
      } else {
        PercentEncoding.unreserved.append(text, to: &encoded)
      }
    }

    /// Appends text that may contain several segments: `/`, dots and percent escapes are kept;
    /// characters that a path can't contain (`?`, `#`, spaces, ...) are percent-encoded.
    public mutating func appendInterpolation(raw text: some CustomStringConvertible) {
      PercentEncoding.pathText.append(text.description, to: &encoded)
    }

    fileprivate var fault: String? {
      for value in emptyOrDotValues {
        let segment = segment(at: value.offset)
        let dots = segment.replacing("%2E", with: ".").replacing("%2e", with: ".")
        guard ["", ".", ".."].contains(dots) else { continue }
        return "the value \"\(value.value)\" can't be a path segment: "
          + "servers remove it, so that \"\(encoded)\" would name another resource"
      }
      return nil
    }

    /// Returns the text between the slashes around an offset.
    private func segment(at offset: Int) -> Substring {
      let middle = encoded.utf8.index(encoded.startIndex, offsetBy: offset)
      let start = encoded[..<middle].lastIndex(of: "/").map(encoded.index(after:))
      let end = encoded[middle...].firstIndex(of: "/")
      return encoded[(start ?? encoded.startIndex)..<(end ?? encoded.endIndex)]
    }
  }
}
