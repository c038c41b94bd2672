/// The proxies whose word about a client's address is trusted.
///
/// Without any, the client is whoever has opened the connection.
public struct TrustedProxies: Sendable {
  /// The header field in which the proxies name the client.
  ///
  /// Name the one that your proxies write: another one comes unchanged from the client, who can
  /// write anything there.
  public enum Field: Sendable {
    /// `X-Forwarded-For`, a list of addresses.
    case xForwardedFor
    /// `Forwarded` (RFC 7239).
    case forwarded

    fileprivate var name: String { self == .forwarded ? "Forwarded" : "X-Forwarded-For" }
  }

  /// A text that is neither an address nor a range of them.
  public struct InvalidRange: Error, CustomStringConvertible {
    /// The text.
    public let text: String

    /// What was wrong, and what would be right.
    public var description: String {
      "\"\(text)\" is not an IP address or a range such as 10.0.0.0/8 or fd00::/8."
    }
  }

  /// No proxies.
  public static let none = TrustedProxies()

  private let ranges: [(prefix: IPAddress, bits: Int)]
  private let field: Field

  private init() {
    (ranges, field) = ([], .xForwardedFor)
  }

  /// Creates a list of addresses, such as `127.0.0.1`, and of ranges, such as `10.0.0.0/8`.
  ///
  /// - Throws: ``InvalidRange`` for the first text that is neither.
  public init(_ ranges: [String], field: Field = .xForwardedFor) throws(InvalidRange) {
    var read: [(prefix: IPAddress, bits: Int)] = []
    for text in ranges {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let address = parts.first.flatMap({ IPAddress($0) }) else {
        throw InvalidRange(text: text)
      }
      let size = address.isIPv4 ? 32 : 128
      guard let bits = parts.count == 1 ? size : Int(parts[1]), (0...size).contains(bits) else {
        throw InvalidRange(text: text)
      }
      let all = bits + 128 - size
      read.append((address.prefix(all), all))
    }
    self.ranges = read
    self.field = field
  }

  package func contains(_ address: IPAddress) -> Bool {
    ranges.contains { address.prefix($0.bits) == $0.prefix }
  }

  /// Returns the client of a request that came from an address: the last one in the list that is no
  /// trusted proxy.
  ///
  /// Whatever is before it, the client may have written.
  ///
  /// - Parameter values: Returns the values of a header field.
  package func client(from peer: IPAddress, _ values: (String) -> [String]) -> IPAddress {
    guard contains(peer) else { return peer }
    var client = peer
    for text in addresses(in: values(field.name)).reversed() {
      // `unknown`, or a name that the proxy has made up: the client is hidden.
      guard let address = Self.address(text) else { return client }
      client = address
      if !contains(address) { break }
    }
    return client
  }

  /// Returns what a client is counted as: a proxy that does not say for whom it asks as nobody.
  func limited(_ client: IPAddress?) -> IPAddress? {
    client.flatMap { contains($0) ? nil : $0.client }
  }

  private func addresses(in values: [String]) -> [Substring] {
    let elements = values.flatMap { Self.split($0[...], at: ",") }
    guard field == .forwarded else { return elements }
    return elements.map { element in
      let pair = Self.split(element, at: ";").map { $0.drop { $0 == " " || $0 == "\t" } }
        .first { $0.lowercased().hasPrefix("for=") }
      return pair?.dropFirst(4) ?? ""
    }
  }

  /// Splits a field's value where a separator is not quoted: a client chooses its `host="…"`.
  private static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var (isQuoted, isEscaped) = (false, false)
    return text.split(omittingEmptySubsequences: false) { character in
      defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      return !isQuoted && character == separator
    }
  }

  /// Reads an address that may be quoted and have a port: `"[2001:db8::1]:4711"`.
  private static func address(_ text: Substring) -> IPAddress? {
    let text = text.filter { !" \t\"".contains($0) }
    if text.hasPrefix("[") { return IPAddress(text.dropFirst().prefix { $0 != "]" }) }
    let isIPv4 = text.count(where: { $0 == ":" }) == 1
    return IPAddress(isIPv4 ? text.prefix { $0 != ":" } : text[...])
  }
}
