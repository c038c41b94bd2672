extension Drawing {
  /// Draws a movie's poster: an abstract picture, and the title in large letters.
  static func poster(of title: String, seed: UInt64) -> Drawing {
    var drawing = Drawing(200, 300, seed: seed)
    drawing.picture()
    drawing.shade()
    drawing.letter(Lettering(title, width: 172))
    return drawing
  }

  /// Draws a wide picture for the same movie.
  static func wide(seed: UInt64) -> Drawing {
    var drawing = Drawing(320, 180, seed: seed)
    drawing.picture()
    return drawing
  }

  private mutating func picture() {
    rectangle(0, 0, width, height, palette.deep)
    switch random.below(6) {
    case 0: hills()
    case 1: rings()
    case 2: stripes()
    case 3: towers()
    case 4: discs()
    default: waves()
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

  private mutating func letter(_ lettering: Lettering) {
    rectangle(14, 272 - lettering.height - 14, 28, 4, palette.bright)
    for (index, line) in lettering.lines.enumerated() {
      let y = 282 - lettering.height + (index + 1) * lettering.lead - lettering.size / 4
      // Whatever the reader's font is: a line never leaves the poster.
      let fit = line.isTight ? " textLength=\"172\" lengthAdjust=\"spacingAndGlyphs\"" : ""
      add(
        "<text x=\"14\" y=\"\(y)\"\(fit) fill=\"\(palette.pale)\" font-weight=\"700\" "
          + "font-size=\"\(lettering.size)\" "
          + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif\">"
          + "\(line.text.escapedForMarkup)</text>")
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

  private mutating func stripes() {
    let angle = 20 + random.below(50)
    var x = -300
    var shapes = ""
    while x < 500 {
      let width = 4 + random.below(26)
      let fill = random.chance(oneIn: 7) ? palette.pale : palette.bright
      shapes += "<rect x=\"\(x)\" y=\"-300\" width=\"\(width)\" height=\"900\" fill=\"\(fill)\"/>"
      x += width + 8 + random.below(24)
    }
    add("<g transform=\"rotate(\(angle) \(width / 2) \(height / 2))\">\(shapes)</g>")
    circle(width / 2, height / 3, height / 5 + random.below(20), palette.deep)
  }

  private mutating func towers() {
    rectangle(0, 0, width, height, palette.bright)
    circle(width * 2 / 3, height / 5, 20 + random.below(14), palette.pale)
    var x = -4
    while x < width {
      let (side, top) = (18 + random.below(22), height / 5 + random.below(height / 3))
      rectangle(x, top, side, height - top, palette.deep)
      for row in 0..<7 where !random.chance(oneIn: 3) {
        rectangle(x + 5 + random.below(side - 12), top + 8 + row * 13, 4, 6, palette.bright)
      }
      x += side + random.below(5) - 1
    }
  }

  private mutating func discs() {
    for index in 0..<5 {
      circle(
        random.below(width), random.below(height * 3 / 5), 26 + random.below(56),
        index == 3 ? palette.pale : palette.bright, opacity: index == 3 ? "0.75" : "0.55")
    }
  }

  private mutating func waves() {
    let (rise, step) = (8 + random.below(12), 22 + random.below(10))
    circle(40 + random.below(width - 80), height / 5, 26 + random.below(12), palette.pale)
    for row in 0..<9 {
      let bends = String(repeating: "q10 \(-rise) 20 0t20 0", count: width / 40 + 2)
      add(
        "<path d=\"M-40 \(height / 4 + row * step)\(bends)\" fill=\"none\" "
          + "stroke=\"\(palette.bright)\" stroke-width=\"7\" stroke-linecap=\"round\" "
          + "transform=\"translate(\(row % 2 * 10))\"/>")
    }
  }
}
