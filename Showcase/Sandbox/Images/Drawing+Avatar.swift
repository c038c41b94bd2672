extension Drawing {
  /// Draws an account's image, as different from the next one's as few shapes allow.
  static func avatar(seed: UInt64) -> Drawing {
    var drawing = Drawing(80, 80, seed: seed)
    let palette = drawing.palette
    let isDark = drawing.random.chance(oneIn: 2)
    drawing.rectangle(0, 0, 80, 80, isDark ? palette.deep : palette.bright)
    let colors = [isDark ? palette.bright : palette.deep, palette.pale]
    switch drawing.random.below(3) {
    case 0: drawing.mosaic(colors)
    case 1: drawing.petals(colors)
    default: drawing.quarters(colors)
    }
    return drawing
  }

  /// Draws five by five dots, the left half mirrored.
  private mutating func mosaic(_ colors: [String]) {
    for row in 0..<5 {
      for column in 0..<3 where !random.chance(oneIn: column == 2 ? 5 : 3) {
        let color = random.chance(oneIn: 4) ? colors[1] : colors[0]
        for column in Set([column, 4 - column]).sorted() {
          circle(14 + column * 13, 14 + row * 13, 6, color)
        }
      }
    }
    circle(40, 40, 6, colors[1])
  }

  /// Draws a flower of five to nine petals.
  private mutating func petals(_ colors: [String]) {
    let count = 5 + random.below(5)
    let (width, turn) = (7 + random.below(5), random.below(60))
    for index in 0..<count {
      let angle = turn + index * 360 / count
      add(
        "<ellipse cx=\"40\" cy=\"22\" rx=\"\(width)\" ry=\"16\" fill=\"\(colors[0])\" "
          + "opacity=\"0.8\" transform=\"rotate(\(angle) 40 40)\"/>")
    }
    circle(40, 40, 7 + random.below(4), colors[1])
  }

  /// Draws sixteen tiles with a quarter of a disc each.
  private mutating func quarters(_ colors: [String]) {
    for row in 0..<4 {
      for column in 0..<4 where !random.chance(oneIn: 6) {
        let (x, y) = (column * 20, row * 20)
        let shape =
          switch random.below(4) {
          case 0: "M\(x) \(y)h20a20 20 0 0 1 -20 20z"
          case 1: "M\(x + 20) \(y)v20a20 20 0 0 1 -20 -20z"
          case 2: "M\(x + 20) \(y + 20)h-20a20 20 0 0 1 20 -20z"
          default: "M\(x) \(y + 20)v-20a20 20 0 0 1 20 20z"
          }
        path(shape, random.chance(oneIn: 4) ? colors[1] : colors[0], opacity: "0.9")
      }
    }
  }
}
