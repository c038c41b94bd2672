extension Drawing {
  /// Draws a movie's poster: an abstract picture.
  static func poster(seed: UInt64) -> Drawing { picture(200, 300, seed: seed) }

  /// Draws a movie's wide image, in the colors of its poster.
  static func backdrop(seed: UInt64) -> Drawing { picture(320, 180, seed: seed) }

  private static func picture(_ width: Int, _ height: Int, seed: UInt64) -> Drawing {
    var drawing = Drawing(width, height, seed: seed)
    drawing.rectangle(0, 0, width, height, drawing.palette.deep)
    switch drawing.random.below(3) {
    case 0: drawing.hills()
    case 1: drawing.rings()
    default: drawing.discs()
    }
    return drawing
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
