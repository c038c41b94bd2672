extension Drawing {
  /// Draws a movie's poster: an abstract picture, and the title in large letters.
  static func poster(of title: String, seed: UInt64) -> Drawing {
    var drawing = Drawing(200, 300, seed: seed)
    drawing.picture()
    drawing.shade()
    drawing.letter(title)
    return drawing
  }

  private mutating func picture() {
    rectangle(0, 0, width, height, palette.deep)
    switch random.below(3) {
    case 0: hills()
    case 1: rings()
    default: discs()
    }
  }

  /// Keeps the letters readable on whatever is drawn behind them.
  private mutating func shade() {
    add(
      """
      <defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">\
      <stop offset="0" stop-color="\(palette.deep)" stop-opacity="0"/>\
      <stop offset="0.45" stop-color="\(palette.deep)" stop-opacity="0.88"/>\
      <stop offset="1" stop-color="\(palette.deep)"/></linearGradient></defs>\
      <rect y="100" width="200" height="200" fill="url(#shade)"/>
      """)
  }

  /// Draws a title in lines that stay on the poster whatever the reader's font is.
  private mutating func letter(_ title: String) {
    let longest = 12
    let words = title.split(separator: " ")
    let lines = words.reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + word.count < longest {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }.prefix(7)
    rectangle(14, 258 - lines.count * 24, 28, 4, palette.bright)
    for (index, line) in lines.enumerated() {
      let y = 300 - (lines.count - index) * 24
      let fit = line.count > longest ? " textLength=\"172\" lengthAdjust=\"spacingAndGlyphs\"" : ""
      add(
        "<text x=\"14\" y=\"\(y)\"\(fit) fill=\"\(palette.pale)\" font-weight=\"700\" "
          + "font-size=\"20\" "
          + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif\">"
          + "\(line.escapedForMarkup)</text>")
    }
  }
}

extension Drawing {
  private mutating func hills() {
    rectangle(0, 0, width, height, palette.bright)
    circle(
      width / 4 + random.below(width / 2), height / 5 + random.below(height / 6),
      22 + random.below(22), palette.pale)
    for layer in 0..<4 {
      let y = height * (34 + layer * 15) / 100
      let (first, second) = (random.below(50) - 10, random.below(50) - 10)
      path(
        "M0 \(y)C\(width / 4) \(y - first) \(width / 3) \(y - second) \(width / 2) \(y - 8)"
          + "S\(width * 4 / 5) \(y + first - 20) \(width) \(y - second / 2)V\(height)H0z",
        palette.deep, opacity: ["0.3", "0.5", "0.7", "1"][layer])
    }
  }

  private mutating func rings() {
    let (x, y) = (random.below(width), height / 4 + random.below(50))
    let (gap, line) = (12 + random.below(10), 3 + random.below(6))
    for ring in 1...14 {
      add(
        "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(ring * gap)\" fill=\"none\" "
          + "stroke=\"\(palette.bright)\" stroke-width=\"\(line)\"/>")
    }
    circle(x, y, gap / 2 + 2, palette.pale)
  }

  private mutating func discs() {
    for index in 0..<5 {
      circle(
        random.below(width), random.below(height * 3 / 5), 26 + random.below(56),
        index == 3 ? palette.pale : palette.bright, opacity: index == 3 ? "0.75" : "0.55")
    }
  }
}
