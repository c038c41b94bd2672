extension String {
  /// The width of the text in columns: two for a wide character or an emoji, zero for combining characters.
  public var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

  /// Returns the text in at most `limit` columns, truncated with an ellipsis if necessary.
  public func fitted(to limit: Int) -> String {
    guard terminalWidth > limit else { return self }
    var left = limit - 1
    let kept = prefix { character in
      left -= character.terminalWidth
      return left >= 0
    }
    return limit > 0 ? kept + "…" : ""
  }

  /// Returns the text padded to at least `width` columns.
  func padded(to width: Int, alignsRight: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - terminalWidth))
    return alignsRight ? padding + self : self + padding
  }
}

extension Character {
  /// The width of the character in columns; it may consist of many scalars.
  var terminalWidth: Int {
    if isASCII { return isNewline ? 0 : 1 }
    return isEmojiSequence ? 2 : unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
  }

  /// Whether the character is an emoji sequence: a flag, a keycap, a family, a hand with a skin tone.
  private var isEmojiSequence: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji, unicodeScalars.count > 1
    else { return false }
    return unicodeScalars.contains {
      $0 == "\u{FE0F}" || $0.properties.isEmojiModifier || $0.properties.isEmojiPresentation
    }
  }
}

extension Unicode.Scalar {
  fileprivate var terminalWidth: Int {
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    // A Hangul syllable's vowel and final consonant are drawn into its initial consonant.
    case _ where (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value): return 0
    default: return properties.isEmojiPresentation || isWide ? 2 : 1
    }
  }

  private var isWide: Bool { value >= 0x1100 && Self.wide.contains { $0.contains(value) } }

  /// East_Asian_Width W and F (UAX #11, Unicode 16), except emoji, which Swift provides.
  private static let wide: [ClosedRange<UInt32>] = [
    0x4E00...0xA4C6, 0xAC00...0xD7A3, 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637,
    0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DFF, 0xA960...0xA97C,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x16FF1, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
