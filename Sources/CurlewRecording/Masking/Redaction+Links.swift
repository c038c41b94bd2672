import Curlew
import Foundation

extension Redaction {
  /// Returns a text with what is secret masked in the URLs that it contains: links that are signed, or have a
  /// token or a password; `nil` if there is nothing.
  func redactingLinks(in text: Data) -> Data? {
    let users = redactingUsers(in: text)
    return redactingQueryItems(in: users ?? text) ?? users
  }

  /// Returns a text without users and passwords in its URLs; `nil` if there are none.
  private func redactingUsers(in text: Data) -> Data? {
    let bytes = [UInt8](text)
    var result: [UInt8] = []
    var copied = 0
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") && colon >= copied {
      // JSON may escape slashes.
      guard
        let slashes = ["//", "\\/\\/"].first(where: {
          bytes[(colon + 1)...].starts(with: $0.utf8)
        })
      else { continue }
      let start = colon + 1 + slashes.utf8.count
      let end = bytes[start...].firstIndex { Self.endsAuthority($0) } ?? bytes.count
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { continue }
      result += bytes[copied..<start]
      result += Self.mask.utf8
      copied = at
    }
    return copied > 0 ? Data(result + bytes[copied...]) : nil
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "/\\?#\"'<>)".utf8.contains(byte)
  }

  /// Returns a text with the values of secret query items masked in its URLs; `nil` if there are none.
  private func redactingQueryItems(in text: Data) -> Data? {
    let bytes = [UInt8](text)
    var result: [UInt8] = []
    var copied = 0
    for equals in bytes.indices where bytes[equals] == UInt8(ascii: "=") && equals >= copied {
      var start = equals
      while start > 0, equals - start < 64, Self.isInName(bytes[start - 1]) { start -= 1 }
      guard let name = Self.itemName(bytes[start..<equals], after: bytes[..<start]),
        isSecret(String(decoding: name, as: UTF8.self)[...])
      else { continue }
      var end = equals + 1
      while end < bytes.count, !Self.endsValue(bytes, at: end) { end += 1 }
      result += bytes[copied...equals]
      result += Self.mask.utf8
      copied = end
    }
    return copied > 0 ? Data(result + bytes[copied...]) : nil
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  /// Returns the name of a query item that follows a text; `nil` if none may.
  ///
  /// JSON may escape `&` as `\u0026`, HTML must escape it as `&amp;`.
  private static func itemName(
    _ name: ArraySlice<UInt8>, after text: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard let last = text.last else { return nil }
    if last == UInt8(ascii: "\\"), name.starts(with: "u0026".utf8) { return name.dropFirst(5) }
    return "?&#".utf8.contains(last) || text.suffix(5).elementsEqual("&amp;".utf8) ? name : nil
  }

  private static func endsValue(_ bytes: [UInt8], at index: Int) -> Bool {
    switch bytes[index] {
    case ...0x20, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ")"):
      true
    // JSON may escape a slash.
    case UInt8(ascii: "\\"): index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "/")
    default: false
    }
  }
}
