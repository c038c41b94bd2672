extension String {
  /// The text in one line, without terminal control characters, because titles come from untrusted sources.
  ///
  /// Line breaks become spaces, and other control characters become replacement characters. Invisible characters that change
  /// the text's direction or hide text are removed. At most eight combining marks per character are kept.
  public var printable: String {
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
  /// Whether the scalar combines with the previous character, or joins it to the next.
  fileprivate var isMark: Bool {
    self == "\u{200D}" || (properties.isGraphemeExtend && !properties.isEmojiModifier)
  }

  fileprivate var isBreak: Bool {
    (0x09...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value)
  }

  /// Whether the scalar is a tag, which encodes a region in flags, and hides text elsewhere.
  fileprivate var isTag: Bool { (0xE0020...0xE007F).contains(value) }
}
