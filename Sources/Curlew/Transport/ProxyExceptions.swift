import Foundation

/// The servers that are reached without a proxy, in the form of the variable `NO_PROXY`.
///
/// ```swift
/// let exceptions: ProxyExceptions = "localhost, .corp.example.com, api.example.com:8080, 10.0.0.0/8"
/// ```
///
/// The entries are separated by commas or spaces, and compared as in curl:
/// - A name is that host and all of its subdomains; the case and a dot at the beginning don't matter.
/// - An IP address is that address, and an address with a prefix length (CIDR) its network. An address is never
///   compared with names, and no name is resolved.
/// - The text `*` alone is every host.
///
/// Beyond curl, a name or an address may end with a port, to which it is limited: `localhost:8080`, `[::1]:8080`.
/// An entry that is none of these matches nothing.
public struct ProxyExceptions: Sendable, Hashable {
  fileprivate struct Entry: Hashable {
    let host: String
    let port: Int?
  }

  private let text: String
  private let isEverything: Bool
  private var entries: [Entry]

  /// Creates exceptions from the text of `NO_PROXY`.
  public init(_ text: String) {
    self.text = text
    isEverything = text.trimmingCharacters(in: .whitespaces) == "*"
    entries = text.split { $0 == "," || $0.isWhitespace }.map { Entry($0) }
  }

  /// The exceptions without entries for a single port, which libcurl does not know.
  var withoutPorts: ProxyExceptions {
    var copy = self
    copy.entries.removeAll { $0.port != nil }
    return copy
  }

  /// Returns whether a server is reached without a proxy.
  ///
  /// - Parameters:
  ///   - host: A name or an IP address, with or without the brackets of an IPv6 address.
  ///   - port: The port.
  public func contains(host: String, port: Int) -> Bool {
    guard !isEverything else { return true }
    guard !entries.isEmpty else { return false }
    let host = Self.normalized(host[...])
    let address = Address(host)
    return entries.contains { entry in
      guard entry.port == nil || entry.port == port else { return false }
      guard let address else { return host == entry.host || host.hasSuffix(".\(entry.host)") }
      return address.isIn(entry.host)
    }
  }

  /// Returns a host in lowercase and in ASCII, without brackets and without a dot at its end.
  fileprivate static func normalized(_ host: Substring) -> String {
    let host = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host
    let name = host.hasSuffix(".") ? host.dropLast() : host
    return (HostEncoding.ascii(name) ?? String(name)).lowercased()
  }
}

extension ProxyExceptions.Entry {
  fileprivate init(_ text: Substring) {
    let colons = text.count { $0 == ":" }
    // An IPv6 address without brackets has colons, too.
    let mark = colons == 1 || text.hasPrefix("[") ? text.lastIndex(of: ":") : nil
    let digits = mark.map { text[text.index(after: $0)...] } ?? ""
    let hasPort = !digits.isEmpty && digits.allSatisfy { "0"..."9" ~= $0 }
    let host = ProxyExceptions.normalized(hasPort ? text[..<(mark ?? text.endIndex)] : text)
    self.init(
      host: host.hasPrefix(".") ? String(host.dropFirst()) : host,
      port: hasPort ? Int(digits) ?? -1 : nil)
  }
}

extension ProxyExceptions {
  /// An IP address.
  fileprivate struct Address {
    private let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
      func parsed(_ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, String(text), &bytes) == 1 ? bytes : nil
      }
      guard let bytes = parsed(AF_INET, 4) ?? parsed(AF_INET6, 16) else { return nil }
      self.bytes = bytes
    }

    /// Returns whether this is an address, or in the network of an address with a prefix length.
    func isIn(_ text: String) -> Bool {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let network = Address(parts[0]), network.bytes.count == bytes.count else {
        return false
      }
      guard parts.count == 2 else { return network.bytes == bytes }
      guard let length = Int(parts[1]), 0...(bytes.count * 8) ~= length else { return false }
      return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(max(length - index * 8, 0), 8))
        return pair.0 & mask == pair.1 & mask
      }
    }
  }
}

extension ProxyExceptions: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates exceptions from a literal, as in ``init(_:)``.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text.
  public var description: String { text }
}
