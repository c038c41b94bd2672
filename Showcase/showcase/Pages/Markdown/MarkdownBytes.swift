import CurlewLive

/// A part of a Markdown text, as UTF-8 bytes.
///
/// All special characters of Markdown are ASCII, whose bytes occur in no other UTF-8 character. So the parser reads each byte
/// only a few times, and splits texts without copying.
typealias MarkdownBytes = ArraySlice<UInt8>

extension MarkdownBytes {
  init(_ text: String) { self = Array(text.utf8)[...] }

  /// The bytes as HTML, with special characters escaped.
  var html: String { HTML(text: text).text }

  /// The bytes as text.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Returns the byte at an offset from the start; `nil` after the end.
  func byte(_ offset: Int) -> UInt8? { offset < count ? self[startIndex + offset] : nil }

  /// Returns the number of consecutive equal bytes at the start.
  func run(of byte: UInt8) -> Int { prefix { $0 == byte }.count }

  /// Returns whether a sequence of bytes is at an index.
  func has(_ bytes: StaticString, at index: Int) -> Bool {
    let count = bytes.utf8CodeUnitCount
    guard index + count <= endIndex else { return false }
    var offset = 0
    while offset < count, self[index + offset] == bytes.utf8Start[offset] { offset += 1 }
    return offset == count
  }

  /// The text without comments in `<!--` and `-->`, which issue templates contain as instructions.
  var withoutComments: MarkdownBytes {
    var (kept, rest) = ([] as MarkdownBytes, self)
    var index = startIndex
    while index < endIndex {
      guard self[index] == UInt8(ascii: "<"), has("<!--", at: index) else {
        index += 1
        continue
      }
      var close = index + 4
      while close < endIndex, !has("-->", at: close) { close += 1 }
      guard close < endIndex else { break }
      kept += self[rest.startIndex..<index]
      index = close + 3
      rest = self[index...]
    }
    return kept + rest
  }

  /// The lines, which end with a line feed, a carriage return, or both.
  var lines: [MarkdownBytes] {
    var lines: [MarkdownBytes] = []
    var (begin, index) = (startIndex, startIndex)
    while index < endIndex {
      let byte = self[index]
      index += 1
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
      lines.append(self[begin..<index - 1])
      if byte == UInt8(ascii: "\r"), index < endIndex, self[index] == UInt8(ascii: "\n") {
        index += 1
      }
      begin = index
    }
    return lines + [self[begin...]]
  }
}

// MARK: Space

extension UInt8 {
  /// Whether the byte is white space.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension MarkdownBytes {
  /// Whether there is only white space.
  var isBlank: Bool { allSatisfy(\.isSpace) }

  /// The indentation in columns; a tab counts as four.
  var indent: Int { prefix { $0 == 0x20 || $0 == 0x09 }.reduce(0) { $0 + ($1 == 0x20 ? 1 : 4) } }

  /// Returns the bytes without up to `width` columns of indentation.
  func withoutIndent(_ width: Int) -> MarkdownBytes {
    var left = width
    return drop { byte in
      guard left > 0, byte == 0x20 || byte == 0x09 else { return false }
      left -= byte == 0x20 ? 1 : 4
      return true
    }
  }

  /// The bytes without leading white space.
  var withoutSpaceInFront: MarkdownBytes { drop(while: \.isSpace) }

  /// The bytes without leading and trailing white space.
  var trimmed: MarkdownBytes {
    var bytes = withoutSpaceInFront
    while bytes.last?.isSpace == true { bytes.removeLast() }
    return bytes
  }
}
