/// The proxies that are trusted to report a client's address.
///
/// Without trusted proxies, the client is the peer that opened the connection.
public struct TrustedProxies: Sendable {
  /// The header field in which the proxies name the client.
  ///
  /// Choose the field that your proxies write: any other field comes unchanged from the client,
  /// which can write anything there.
  public enum Field: Sendable {
    /// `X-Forwarded-For`, a list of addresses.
    case xForwardedFor
    /// `Forwarded` (RFC 7239).
    case forwarded

    fileprivate var name: String { self == .forwarded ? "Forwarded" : "X-Forwarded-For" }
  }

  /// The error for a text that is neither an address nor an address range.
  public struct InvalidRange: Error, CustomStringConvertible {
    /// The invalid text.
    public let text: String

    /// A description of the problem and its fix.
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

  /// Returns the client of a request from a peer: the last address in the list that is not a
  /// trusted proxy.
  ///
  /// The client may have written the addresses before it.
  ///
  /// - Parameter values: A closure that returns the values of a header field.
  package func client(from peer: IPAddress, _ values: (String) -> [String]) -> IPAddress {
    guard contains(peer) else { return peer }
    var client = peer
    for text in addresses(in: values(field.name)).reversed() {
      // `unknown`, or an obfuscated name: the proxy hides the client.
      guard let address = Self.address(text) else { return client }
      client = address
      if !contains(address) { break }
    }
    return client
  }

  /// Returns the address by which a client is counted; `nil` for a proxy that doesn't report its
  /// client.
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

  /// Splits a field's value at separators that are not quoted: the client chooses the quoted text
  /// in `host="…"`.
  private static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var (isQuoted, isEscaped) = (false, false)
    return text.split(omittingEmptySubsequences: false) { character in
      defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      return !isQuoted && character == separator
    }
  }

  /// Parses an address that may be quoted and have a port: `"[2001:db8::1]:4711"`.
  private static func address(_ text: Substring) -> IPAddress? {
    let text = text.filter { !" \t\"".contains($0) }
    if text.hasPrefix("[") { return IPAddress(text.dropFirst().prefix { $0 != "]" }) }
    let isIPv4 = text.count(where: { $0 == ":" }) == 1
    return IPAddress(isIPv4 ? text.prefix { $0 != ":" } : text[...])
  }
}
