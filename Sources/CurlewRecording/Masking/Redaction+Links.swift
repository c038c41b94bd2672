import Curlew
import Foundation

extension Redaction {
  /// Returns a text with the secrets in its URLs masked: signatures, tokens and passwords; `nil` if it contains none.
  func redactingLinks(in text: Data) -> Data? {
    let users = redactingUsers(in: text)
    return redactingQueryItems(in: users ?? text) ?? users
  }

  /// Returns a text without user names and passwords in its URLs; `nil` if there are none.
  private func redactingUsers(in text: Data) -> Data? {
    Self.masking([UInt8](text), at: ":") { bytes, colon in
      // JSON may escape slashes.
      let slashes = ["//", "\\/\\/"].first { bytes[(colon + 1)...].starts(with: $0.utf8) }
      guard let start = slashes.map({ colon + 1 + $0.utf8.count }) else { return nil }
      let authority = bytes[start...].prefix { $0 > 0x20 && !"/\\?#\"'<>)".utf8.contains($0) }
      return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }
  }

  /// Returns a text with the values of secret query items masked in its URLs; `nil` if there are none.
  private func redactingQueryItems(in text: Data) -> Data? {
    Self.masking([UInt8](text), at: "=") { bytes, equals in
      let name = bytes[max(0, equals - 64)..<equals].reversed().prefix { Self.isInName($0) }
      let start = equals - name.count
      guard let name = Self.itemName(bytes[start..<equals], after: bytes[..<start]),
        isSecret(String(decoding: name, as: UTF8.self)[...])
      else { return nil }
      let end = bytes.indices[equals...].dropFirst().first { Self.endsValue(bytes, at: $0) }
      return equals + 1..<(end ?? bytes.count)
    }
  }

  /// Returns bytes with secrets masked; `nil` if there are none.
  ///
  /// - Parameter secret: Returns the range of the secret at a mark's index, if any.
  private static func masking(
    _ bytes: [UInt8], at mark: Unicode.Scalar, secret: ([UInt8], Int) -> Range<Int>?
  ) -> Data? {
    var (result, copied) = ([UInt8](), 0)
    for index in bytes.indices where bytes[index] == UInt8(ascii: mark) && index >= copied {
      guard let range = secret(bytes, index) else { continue }
      result += bytes[copied..<range.lowerBound]
      result += mask.utf8
      copied = range.upperBound
    }
    return copied > 0 ? Data(result + bytes[copied...]) : nil
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "_-.%".utf8.contains(byte)
  }

  /// Returns the name of a query item if the preceding text can precede a query item; otherwise `nil`.
  ///
  /// JSON may escape `&` as `\u0026`; HTML escapes it as `&amp;`.
  private static func itemName(
    _ name: ArraySlice<UInt8>, after text: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard let last = text.last else { return nil }
    if last == UInt8(ascii: "\\"), name.starts(with: "u0026".utf8) { return name.dropFirst(5) }
    return "?&#".utf8.contains(last) || text.suffix(5).elementsEqual("&amp;".utf8) ? name : nil
  }

  private static func endsValue(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case ...0x20: true
    // JSON may escape a slash.
    case UInt8(ascii: "\\"): index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "/")
    case let byte: "&#\"'<>)".utf8.contains(byte)
    }
  }
}
