extension String {
  /// The columns that the text takes on a terminal: two for a wide character or an emoji, none for
  /// what is drawn over its neighbour.
  var terminalWidth: Int {
    // Most text is ASCII, and needs no look at Unicode's tables.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
    return reduce(0) { $0 + $1.terminalWidth }
  }
}

extension Character {
  /// The columns of one character, which may be a sequence of many scalars.
  var terminalWidth: Int {
    guard unicodeScalars.count > 1 else { return unicodeScalars.first?.terminalWidth ?? 0 }
    if isEmojiSequence { return 2 }
    return unicodeScalars.reduce(0) { $0 + $1.terminalWidth }
  }

  /// Whether it is one picture: a flag, a keycap, a family, a thumb with a colour.
  private var isEmojiSequence: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation
      || unicodeScalars.contains { $0 == "\u{FE0F}" || $0.properties.isEmojiModifier }
      // Joined to another picture, as the heart on fire.
      || unicodeScalars.dropFirst().contains { $0.properties.isEmojiPresentation }
  }
}

extension Unicode.Scalar {
  fileprivate var terminalWidth: Int {
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // A Hangul syllable's vowel and its end are drawn into its first letter.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  private var isWide: Bool {
    value >= 0x1100 && Self.wide.contains { $0.contains(value) }
  }

  /// East_Asian_Width W and F (UAX #11, Unicode 16), without the emoji, which Swift knows.
  private static let wide: [ClosedRange<UInt32>] = [
    0x4E00...0xA4C6, 0xAC00...0xD7A3, 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637,
    0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DFF, 0xA960...0xA97C,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x16FF1, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
