/// The poster of a film: an abstract picture of two colours, and the title in large letters.
enum Poster {
  static func drawing(of title: String, _ seed: SplitMix) -> Drawing {
    var dice = seed
    let palette = dice.pick(Palette.all)
    var drawing = Drawing(200, 300)
    picture(palette, &drawing, &dice)
    shade(palette, &drawing)
    let lettering = Lettering(title, width: 172)
    drawing.rectangle(14, 272 - lettering.height - 14, 28, 4, palette.bright)
    for (index, line) in lettering.lines.enumerated() {
      let y = 282 - lettering.height + (index + 1) * lettering.lead - lettering.size / 4
      // Whatever the reader's font is: a line never leaves the poster.
      let fit = line.isTight ? " textLength=\"172\" lengthAdjust=\"spacingAndGlyphs\"" : ""
      drawing.add(
        "<text x=\"14\" y=\"\(y)\"\(fit) fill=\"\(palette.pale)\" font-weight=\"700\" "
          + "font-size=\"\(lettering.size)\" "
          + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif\">"
          + "\(Markup.escaped(line.text))</text>")
    }
    return drawing
  }

  /// A wide picture of the same film.
  static func wide(_ seed: SplitMix) -> Drawing {
    var dice = seed
    let palette = dice.pick(Palette.all)
    var drawing = Drawing(320, 180)
    picture(palette, &drawing, &dice)
    return drawing
  }

  private static func picture(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    drawing.rectangle(0, 0, drawing.width, drawing.height, palette.deep)
    switch dice.below(6) {
    case 0: hills(palette, &drawing, &dice)
    case 1: rings(palette, &drawing, &dice)
    case 2: stripes(palette, &drawing, &dice)
    case 3: towers(palette, &drawing, &dice)
    case 4: discs(palette, &drawing, &dice)
    default: waves(palette, &drawing, &dice)
    }
  }

  /// Keeps the letters readable on whatever is drawn behind them.
  private static func shade(_ palette: Palette, _ drawing: inout Drawing) {
    drawing.add(
      """
      <defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">\
      <stop offset="0" stop-color="\(palette.deep)" stop-opacity="0"/>\
      <stop offset="0.45" stop-color="\(palette.deep)" stop-opacity="0.88"/>\
      <stop offset="1" stop-color="\(palette.deep)"/></linearGradient></defs>\
      <rect y="100" width="200" height="200" fill="url(#shade)"/>
      """)
  }
}

extension Poster {
  private static func hills(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let (width, height) = (drawing.width, drawing.height)
    drawing.rectangle(0, 0, width, height, palette.bright)
    drawing.circle(
      width / 4 + dice.below(width / 2), height / 5 + dice.below(height / 6), 22 + dice.below(22),
      palette.pale)
    for layer in 0..<4 {
      let y = height * (34 + layer * 15) / 100
      let (first, second) = (dice.below(50) - 10, dice.below(50) - 10)
      drawing.path(
        "M0 \(y)C\(width / 4) \(y - first) \(width / 3) \(y - second) \(width / 2) \(y - 8)"
          + "S\(width * 4 / 5) \(y + first - 20) \(width) \(y - second / 2)V\(height)H0z",
        palette.deep, opacity: ["0.3", "0.5", "0.7", "1"][layer])
    }
  }

  private static func rings(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let (x, y) = (dice.below(drawing.width), drawing.height / 4 + dice.below(50))
    let (gap, line) = (12 + dice.below(10), 3 + dice.below(6))
    for ring in 1...14 { drawing.ring(x, y, ring * gap, palette.bright, width: line) }
    drawing.circle(x, y, gap / 2 + 2, palette.pale)
  }

  private static func stripes(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let angle = 20 + dice.below(50)
    var x = -300
    var shapes = ""
    while x < 500 {
      let width = 4 + dice.below(26)
      let fill = dice.once(in: 7) ? palette.pale : palette.bright
      shapes += "<rect x=\"\(x)\" y=\"-300\" width=\"\(width)\" height=\"900\" fill=\"\(fill)\"/>"
      x += width + 8 + dice.below(24)
    }
    drawing.add(
      "<g transform=\"rotate(\(angle) \(drawing.width / 2) \(drawing.height / 2))\">\(shapes)</g>")
    let side = drawing.height / 5 + dice.below(20)
    drawing.circle(drawing.width / 2, drawing.height / 3, side, palette.deep)
  }

  private static func towers(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let (width, height) = (drawing.width, drawing.height)
    drawing.rectangle(0, 0, width, height, palette.bright)
    drawing.circle(width * 2 / 3, height / 5, 20 + dice.below(14), palette.pale)
    var x = -4
    while x < width {
      let (side, top) = (18 + dice.below(22), height / 5 + dice.below(height / 3))
      drawing.rectangle(x, top, side, height - top, palette.deep)
      for row in 0..<7 where !dice.once(in: 3) {
        drawing.rectangle(x + 5 + dice.below(side - 12), top + 8 + row * 13, 4, 6, palette.bright)
      }
      x += side + dice.below(5) - 1
    }
  }

  private static func discs(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    for index in 0..<5 {
      drawing.circle(
        dice.below(drawing.width), dice.below(drawing.height * 3 / 5), 26 + dice.below(56),
        index == 3 ? palette.pale : palette.bright, opacity: index == 3 ? "0.75" : "0.55")
    }
  }

  private static func waves(
    _ palette: Palette, _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let (rise, step) = (8 + dice.below(12), 22 + dice.below(10))
    drawing.circle(
      40 + dice.below(drawing.width - 80), drawing.height / 5, 26 + dice.below(12), palette.pale)
    for row in 0..<9 {
      let y = drawing.height / 4 + row * step
      var path = "M-40 \(y)"
      for _ in 0..<(drawing.width / 40 + 2) {
        path += "q10 \(-rise) 20 0t20 0"
      }
      drawing.add(
        "<path d=\"\(path)\" fill=\"none\" stroke=\"\(palette.bright)\" stroke-width=\"7\" "
          + "stroke-linecap=\"round\" transform=\"translate(\(row % 2 * 10))\"/>")
    }
  }
}
