/// A text as one word of a POSIX shell command.
struct ShellWord: CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The text, in single quotes unless no shell interprets any of its characters.
  var description: String {
    if !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) { return text }
    // Within single quotes, only the closing quote is special. The loop is over bytes, because a quotation
    // mark and a following combining accent are one `Character`.
    var bytes = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes + "'".utf8, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._/:@%+,".utf8.contains(byte)
    }
  }
}
