import Foundation

/// Encodes internationalized host names in ASCII (RFC 5891).
enum HostEncoding {
  /// Returns an authority, which may be percent-encoded, with its host in ASCII; `nil` if Foundation can't convert it.
  ///
  /// A host in ASCII, and an authority with a user, is returned unchanged.
  static func ascii(_ authority: Substring) -> String? {
    let name = authority.prefix { $0 != ":" }
    guard !authority.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }),
      let decoded = name.removingPercentEncoding, !decoded.utf8.allSatisfy({ $0 < 0x80 }),
      !authority.contains("@")
    else { return String(authority) }
    // Other characters than a name's could end the host, also those that its conversion creates.
    guard decoded.utf8.allSatisfy({ $0 >= 0x80 || isInName($0) }),
      let parts = URLComponents(string: "https://\(decoded)", encodingInvalidCharacters: true),
      let host = parts.encodedHost, !host.isEmpty, host.utf8.allSatisfy(isInName)
    else { return nil }
    return host + authority[name.endIndex...]
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._".utf8.contains(byte)
  }
}
