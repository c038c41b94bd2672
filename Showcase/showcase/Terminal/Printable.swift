extension String {
  /// The text in one line, without anything that would steer a terminal: titles come from strangers.
  ///
  /// Breaks become a space, other control characters a replacement character, and invisible ones
  /// that change the direction or hide text are left out. Marks are kept to eight on a letter.
  package var printable: String {
    var result = String.UnicodeScalarView()
    var marks = 0
    var isFlag = false
    for scalar in unicodeScalars {
      if !scalar.isTag { isFlag = scalar == "\u{1F3F4}" }
      if scalar.isMark {
        marks += 1
        if marks <= 8, !scalar.isTag || isFlag { result.append(scalar) }
        continue
      }
      marks = 0
      switch scalar.properties.generalCategory {
      case _ where scalar.isBreak:
        if result.last != " " { result.append(" ") }
      case .control: result.append("\u{FFFD}")
      case .format: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may obey it instead of showing it.
  var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200C}" && self != "\u{200D}" && !isTag
    default: false
    }
  }

  /// Whether it belongs to the character before it, or joins it to the next.
  fileprivate var isMark: Bool {
    self == "\u{200D}" || (properties.isGraphemeExtend && !properties.isEmojiModifier)
  }

  fileprivate var isBreak: Bool {
    (0x09...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value)
  }

  /// Whether it spells out a region's flag; outside of flags it hides text.
  fileprivate var isTag: Bool { (0xE0020...0xE007F).contains(value) }
}
