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
