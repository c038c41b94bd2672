import CurlewLive

extension Markdown {
  /// A part of a text, as bytes in UTF-8.
  ///
  /// All characters that mean something in Markdown are ASCII, and in UTF-8 no other character has
  /// their bytes. So each byte is looked at a few times, and text is taken apart without a copy.
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

    /// The byte at a position from the beginning of the part; `nil` after its end.
    func byte(_ offset: Int) -> UInt8? {
      start + offset < end ? whole[start + offset] : nil
    }

    /// The bytes of the part alone.
    var bytes: [UInt8] { Array(whole[start..<end]) }

    /// The part as text of a page, whose special characters are escaped.
    var html: String { HTML(text: String(decoding: whole[start..<end], as: UTF8.self)).text }

    func part(from start: Int, to end: Int) -> Part {
      var part = self
      part.start = start
      part.end = end
      return part
    }

    /// The part without so many bytes in front.
    func dropFirst(_ count: Int) -> Part { part(from: min(start + count, end), to: end) }

    /// How many bytes in front are the same one.
    func run(of byte: UInt8) -> Int {
      var index = start
      while index < end, whole[index] == byte { index += 1 }
      return index - start
    }

    /// Whether a byte is in the part.
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
  /// Whether there is nothing but space.
  var isBlank: Bool { withoutSpaceInFront.count == 0 }

  /// How many spaces it begins with; a tab counts as four.
  var indent: Int {
    var width = 0
    var offset = 0
    while let byte = byte(offset), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
      width += byte == UInt8(ascii: " ") ? 1 : 4
      offset += 1
    }
    return width
  }

  /// The part without up to so many spaces in front.
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

  /// The part without space in front.
  var withoutSpaceInFront: Markdown.Part {
    var index = start
    while index < end {
      let length = whole.lengthOfSpace(at: index)
      guard length > 0 else { break }
      index += length
    }
    return part(from: index, to: end)
  }

  /// The part without space at both ends.
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
  /// The text without what is between `<!--` and `-->`, which issue templates tell their users.
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

  /// The lines, which end as lines of a `String` do (`Character.isNewline`).
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
