/// A URL path below the base URL, in percent-encoded form (RFC 3986 section 3.3).
///
/// Each interpolated value is one segment, or a part of one, whatever it contains: `/`, `?`, `#`,
/// spaces, control characters and non-ASCII text are percent-encoded.
///
/// ```swift
/// let path: Path = "/repos/\(owner)/\(name)"
/// ```
///
/// A value that can't be a segment of its own whatever its encoding, because servers take it out
/// of the path (`.`, `..` and the empty text; RFC 3986 section 6.2.2.3), is refused when the
/// request is sent, with ``Client/Error/invalidRequest(_:)``. Use `\(raw: text)` for text that may
/// hold several segments.
public struct Path: Sendable, Hashable, CustomStringConvertible {
  /// The percent-encoded path, beginning with `/`.
  public let description: String

  /// Why this path can't be sent, if a value in it would make it ask for another resource.
  let fault: String?
}

extension Path: ExpressibleByStringInterpolation {
  /// Creates a path from literal text.
  ///
  /// - Precondition: The text holds neither `?` nor `#`: a query belongs into ``Endpoint/query``.
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(
      literalCapacity: value.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Creates a path from literal text and values.
  public init(stringInterpolation: StringInterpolation) {
    var encoded = stringInterpolation.encoded
    if encoded.utf8.first != UInt8(ascii: "/") { encoded = "/" + encoded }
    description = encoded
    fault = stringInterpolation.fault
  }

  /// Collects the literal text and the values of a path.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var encoded = ""
    /// Where empty or dots-only values stand; nearly always none.
    private var suspects: [(offset: Int, value: String)] = []

    /// Prepares for a text of about this size.
    public init(literalCapacity: Int, interpolationCount: Int) {
      encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends the programmer's own text.
    public mutating func appendLiteral(_ literal: String) {
      precondition(
        !literal.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") },
        "The path \"\(literal)\" holds a query or a fragment: give query items as `query`."
      )
      PercentEncoding.pathText.append(literal, to: &encoded)
    }

    /// Appends a value as one segment, or a part of one.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      if text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) {
        suspects.append((encoded.utf8.count, text))
        encoded += String(repeating: "%2E", count: text.utf8.count)
      } else {
        PercentEncoding.unreserved.append(text, to: &encoded)
      }
    }

    /// Appends text that may hold several segments: `/`, dots and percent escapes stay; what can't
    /// stand in a path at all (`?`, `#`, spaces, ...) is percent-encoded.
    public mutating func appendInterpolation(raw text: some CustomStringConvertible) {
      PercentEncoding.pathText.append(text.description, to: &encoded)
    }

    fileprivate var fault: String? {
      for suspect in suspects {
        let segment = segment(at: suspect.offset)
        let dots = segment.replacing("%2E", with: ".").replacing("%2e", with: ".")
        guard ["", ".", ".."].contains(dots) else { continue }
        return "the value \"\(suspect.value)\" can't be a path segment: "
          + "servers drop it, and another resource than \"\(encoded)\" would be asked for"
      }
      return nil
    }

    /// The text between the slashes around an offset.
    private func segment(at offset: Int) -> Substring {
      let middle = encoded.utf8.index(encoded.startIndex, offsetBy: offset)
      let start = encoded[..<middle].lastIndex(of: "/").map(encoded.index(after:))
      let end = encoded[middle...].firstIndex(of: "/")
      return encoded[(start ?? encoded.startIndex)..<(end ?? encoded.endIndex)]
    }
  }
}
