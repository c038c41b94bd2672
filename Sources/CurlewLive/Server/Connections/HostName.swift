/// The host of a URL; names are compared without regard to case and to a trailing dot.
package enum HostName: Hashable, Sendable {
  /// A name or an IPv4 address, in lower case.
  case name(String)
  case ipv6(IPAddress)

  /// Creates a host from `birds.example`, `192.0.2.1` or `[2001:db8::1]` (RFC 3986 section 3.2.2);
  /// returns `nil` for other texts, such as names with characters that DNS names don't have, and
  /// addresses with zones.
  init?(_ text: some StringProtocol) {
    if text.hasPrefix("["), text.hasSuffix("]") {
      let inner = text.dropFirst().dropLast()
      guard inner.contains(":"), inner.utf8.allSatisfy("0123456789abcdefABCDEF:.".utf8.contains),
        let address = IPAddress(inner)
      else { return nil }
      self = .ipv6(address)
    } else {
      let name = text.hasSuffix(".") ? text.dropLast() : text[...]
      guard !name.isEmpty, name.utf8.allSatisfy({ $0.isLetterOrDigit || "-._~".utf8.contains($0) })
      else { return nil }
      self = .name(name.lowercased())
    }
  }

  /// Whether it is the loopback name or a loopback address.
  var isLoopback: Bool {
    switch self {
    case .name(let name): name == "localhost" || name == "127.0.0.1"
    case .ipv6(let address): address.isLoopback
    }
  }

}

/// The host and the port in a Host field (RFC 9110 section 7.2).
package struct Authority: Hashable, Sendable {
  package let host: HostName
  /// The port; `nil` for the scheme's default port.
  package let port: Int?

  /// Creates an authority from `birds.example`, `birds.example:8080` or `[2001:db8::1]:8080`;
  /// returns `nil` for other texts, such as an authority with a user: `birds.example@evil.example`.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    let end: String.Index
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bytes.index(after: bracket)
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    }
    let rest = text[end...]
    guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":"), let host = HostName(text[..<end])
    else { return nil }
    let digits = rest.utf8.dropFirst()
    guard digits.allSatisfy("0123456789".utf8.contains) else { return nil }
    // A port may be empty (RFC 3986 section 3.2.3).
    let port = digits.isEmpty ? nil : UInt16(String(decoding: digits, as: UTF8.self))
    guard digits.isEmpty || port != nil else { return nil }
    (self.host, self.port) = (host, port.map { Int($0) })
  }
}
