import CurlewLive

extension Markdown {
  /// A part of a text, as UTF-8 bytes.
  ///
  /// All special characters of Markdown are ASCII, whose bytes occur in no other UTF-8 character.
  /// So the parser reads each byte only a few times, and splits texts without copying.
  struct Part {
    /// The bytes of the whole text.
    private let whole: [UInt8]
    private(set) var start: Int
    private(set) var end: Int

    init(_ whole: [UInt8]) {
      self.whole = whole
      start = 0
      end = whole.count
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    var count: Int { end - start }

    /// Returns the byte at an offset from the part's start; `nil` after its end.
    func byte(_ offset: Int) -> UInt8? {
      start + offset < end ? whole[start + offset] : nil
    }

    /// A copy of the part's bytes.
    var bytes: [UInt8] { Array(whole[start..<end]) }

    /// The part as HTML, with special characters escaped.
    var html: String { HTML(text: String(decoding: whole[start..<end], as: UTF8.self)).text }

    func part(from start: Int, to end: Int) -> Part {
      var part = self
      part.start = start
      part.end = end
      return part
    }

    /// Returns the part without its first `count` bytes.
    func dropFirst(_ count: Int) -> Part { part(from: min(start + count, end), to: end) }

    /// Returns the number of consecutive equal bytes at the start.
    func run(of byte: UInt8) -> Int {
      var index = start
      while index < end, whole[index] == byte { index += 1 }
      return index - start
    }

    /// Returns whether the part contains a byte.
    func contains(_ byte: UInt8) -> Bool {
      var index = start
      while index < end {
        if whole[index] == byte { return true }
        index += 1
      }
      return false
    }
  }
}

// MARK: Space

extension Markdown.Part {
  /// Whether the part contains only white space.
  var isBlank: Bool { withoutSpaceInFront.count == 0 }

  /// The indentation in columns; a tab counts as four.
  var indent: Int {
    var width = 0
    var offset = 0
    while let byte = byte(offset), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
      width += byte == UInt8(ascii: " ") ? 1 : 4
      offset += 1
    }
    return width
  }

  /// Returns the part without up to `width` columns of indentation.
  func withoutIndent(_ width: Int) -> Markdown.Part {
    var left = width
    var offset = 0
    while left > 0, let byte = byte(offset),
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    {
      left -= byte == UInt8(ascii: " ") ? 1 : 4
      offset += 1
    }
    return dropFirst(offset)
  }

  /// The part without leading white space.
  var withoutSpaceInFront: Markdown.Part {
    var index = start
    while index < end {
      let length = whole.lengthOfSpace(at: index)
      guard length > 0 else { break }
      index += length
    }
    return part(from: index, to: end)
  }

  /// The part without leading and trailing white space.
  var trimmed: Markdown.Part {
    let front = withoutSpaceInFront
    var end = end
    while end > front.start {
      let last = whole.startOfScalar(before: end)
      guard whole.lengthOfSpace(at: last) > 0 else { break }
      end = last
    }
    return part(from: front.start, to: end)
  }
}

// MARK: Lines

extension Markdown.Part {
  /// The text without comments in `<!--` and `-->`, which issue templates contain as instructions.
  var withoutComments: Markdown.Part {
    var kept: [UInt8] = []
    var keptUntil = start
    var index = start
    while index < end {
      guard whole[index] == UInt8(ascii: "<"), whole.has([0x3C, 0x21, 0x2D, 0x2D], at: index) else {
        index += 1
        continue
      }
      var close = index + 4
      while close < end, !whole.has([0x2D, 0x2D, 0x3E], at: close) { close += 1 }
      guard close < end else { break }
      kept += whole[keptUntil..<index]
      index = close + 3
      keptUntil = index
    }
    return keptUntil == start ? self : Markdown.Part(kept + whole[keptUntil..<end])
  }

  /// The lines; line terminators are the same as in a `String` (`Character.isNewline`).
  var lines: [Markdown.Part] {
    var lines: [Markdown.Part] = []
    var begin = start
    var index = start
    while index < end {
      let length = whole.lengthOfLineEnd(at: index)
      if length > 0 {
        lines.append(part(from: begin, to: index))
        begin = index + length
      }
      index += max(1, length)
    }
    lines.append(part(from: begin, to: end))
    return lines
  }
}
