/// A title broken into lines, in the largest letters that fit.
struct Lettering: Sendable {
  struct Line: Sendable {
    let text: String
    /// Whether it is wider than there is room, even in the smallest letters.
    let isTight: Bool
  }

  let size: Int
  let lines: [Line]

  /// The distance from line to line.
  var lead: Int { size * 11 / 10 }

  var height: Int { lines.count * lead }

  init(_ title: String, width: Int) {
    let fitting = [34, 30, 26, 22, 19, 16, 13].first { size in
      let lines = Self.lines(of: title, width: width, size: size)
      return lines.count * size <= 120
        && lines.allSatisfy { Self.width(of: $0, size: size) <= width }
    }
    let size = fitting ?? 13
    self.size = size
    lines = Self.lines(of: title, width: width, size: size).prefix(8).map { text in
      Line(text: text, isTight: Self.width(of: text, size: size) > width)
    }
  }

  private static func lines(of title: String, width: Int, size: Int) -> [String] {
    var lines: [String] = []
    for word in title.split(separator: " ") {
      let longer = lines.last.map { "\($0) \(word)" }
      if let longer, Self.width(of: longer, size: size) <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Guesses a width, because nobody knows the reader's font here: wide rather than narrow.
  private static func width(of text: String, size: Int) -> Int {
    let hundredths = text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.value {
      case 0x20, 0x27, 0x2C, 0x2E, 0x3A, 0x69, 0x6A, 0x6C: sum + 38
      case 0x4D, 0x57, 0x6D, 0x77: sum + 104
      case 0x41...0x5A: sum + 78
      case 0..<0x1100: sum + 69
      default: sum + 104
      }
    }
    return hundredths * size / 100
  }
}
