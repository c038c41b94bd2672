import Foundation

/// The charsets of texts, by the names in `Content-Type` (RFC 9110 section 8.3.2).
enum Charset {
  /// Core Foundation's numbers of charsets without a constant of `String.Encoding`.
  ///
  /// GB 18030 includes GBK and GB 2312.
  private static let numbers: [String: UInt] = [
    "windows1250": 0x501, "windows1251": 0x502, "windows1252": 0x500, "windows1253": 0x503,
    "windows1254": 0x504, "windows1255": 0x505, "windows1256": 0x506, "windows1257": 0x507,
    "windows1258": 0x508, "windows874": 0x41D, "tis620": 0x41D, "koi8r": 0xA02, "koi8u": 0xA08,
    "gb2312": 0x632, "gbk": 0x632, "gb18030": 0x632, "windows936": 0x632, "big5": 0xA03,
    "big5hkscs": 0xA03, "windows950": 0xA03, "shiftjis": 0x420, "sjis": 0x420, "xsjis": 0x420,
    "windows31j": 0x420, "windows932": 0x420, "eucjp": 0x920, "iso2022jp": 0x820, "euckr": 0x422,
    "ksc56011987": 0x422, "ksc5601": 0x422, "windows949": 0x422,
  ]

  private static let encodings: [String: String.Encoding] = [
    "utf8": .utf8, "ascii": .utf8, "usascii": .utf8, "unicode11utf8": .utf8, "utf16": .utf16,
    "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian, "utf32": .utf32,
    "utf32le": .utf32LittleEndian, "utf32be": .utf32BigEndian, "latin1": .isoLatin1,
    "latin2": .isoLatin2,
  ]

  /// Returns a text; `nil` if its bytes are not in the charset.
  ///
  /// An unknown charset counts as UTF-8. A byte order mark takes precedence over the charset, and is not part of
  /// the text, as in browsers (WHATWG Encoding section 6.1).
  static func text(_ data: Data, _ name: String?) -> String? {
    var encoding = name.flatMap { self.encoding($0) } ?? .utf8
    let is32 = [.utf32, .utf32LittleEndian, .utf32BigEndian].contains(encoding)
    let is16 = { (data: Data) in
      data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    }
    if data.starts(with: [0xEF, 0xBB, 0xBF]) { encoding = .utf8 }
    if is16(data), !is32 { encoding = .utf16 }
    let unit = is32 ? 4 : [.utf16, .utf16LittleEndian, .utf16BigEndian].contains(encoding) ? 2 : 1
    // Foundation drops a last unit that is not complete.
    guard data.count.isMultiple(of: unit), let text = String(data: data, encoding: encoding) else {
      return nil
    }
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Returns a charset's encoding by its name, whose case and punctuation don't matter: `ISO8859-1`, `cp1251`.
  private static func encoding(_ name: String) -> String.Encoding? {
    guard name.utf8.count <= 40 else { return nil }
    var name = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    for prefix in ["xcp", "cp", "ms"] where name.hasPrefix(prefix) {
      name = "windows\(name.dropFirst(prefix.count))"
    }
    if let encoding = encodings[name] { return encoding }
    var number = numbers[name]
    if name.hasPrefix("iso8859"), let part = UInt(name.dropFirst(7)), 1...16 ~= part {
      number = 0x200 + part
    }
    // The bit with which `NSString` wraps Core Foundation's numbers.
    return number.map { String.Encoding(rawValue: 0x8000_0000 | $0) }
  }
}
