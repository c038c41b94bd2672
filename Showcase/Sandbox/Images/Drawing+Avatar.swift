extension Drawing {
  /// Draws an account's avatar; a few shapes make different accounts distinguishable.
  static func avatar(seed: UInt64) -> Drawing {
    var drawing = Drawing(80, 80, seed: seed)
    let palette = drawing.palette
    let isDark = drawing.random.chance(oneIn: 2)
    drawing.rectangle(0, 0, 80, 80, isDark ? palette.deep : palette.bright)
    let colors = [isDark ? palette.bright : palette.deep, palette.pale]
    drawing.mosaic(colors)
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
}
