import Foundation

/// An IPv4 or IPv6 address; an IPv4 address is kept as `::ffff:192.0.2.1` (RFC 4291 section 2.5.5.2).
package struct IPAddress: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Creates an address from `192.0.2.1` or `2001:db8::1`, also with a zone; returns `nil` for
  /// other texts.
  package init?(_ text: some StringProtocol) {
    let text = String(text.prefix { $0 != "%" })
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(high: 0, low: 0xFFFF << 32 | bytes[..<4].reduce(0) { $0 << 8 | UInt64($1) })
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(
        high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
    } else {
      return nil
    }
  }

  /// The address in decimal numbers (IPv4) or hexadecimal numbers.
  var text: String {
    guard !isIPv4 else {
      return (0..<4).map { "\(low >> (24 - 8 * $0) & 0xFF)" }.joined(separator: ".")
    }
    return [high, low].flatMap { half in
      (0..<4).map { String(half >> (48 - 16 * $0) & 0xFFFF, radix: 16) }
    }.joined(separator: ":")
  }

  var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether it is a loopback address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
  var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// The address that identifies a client: an IPv4 address, or the first 64 bits of an IPv6
  /// address, in whose network a client can choose any number of addresses.
  package var client: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// Returns the address with only its first `bits` of 128 bits.
  func prefix(_ bits: Int) -> IPAddress {
    IPAddress(
      high: bits >= 64 ? high : high & ~(UInt64.max >> UInt64(bits)),
      low: bits >= 128 ? low : low & ~(UInt64.max >> UInt64(max(bits - 64, 0))))
  }
}
