/// The picture of an account, as different from the next one's as few shapes allow.
enum Avatar {
  static func drawing(of id: Int) -> Drawing {
    var dice = SplitMix(seed: UInt64(id))
    let palette = dice.pick(Palette.all)
    var drawing = Drawing(80, 80)
    let isNight = dice.once(in: 2)
    drawing.rectangle(0, 0, 80, 80, isNight ? palette.deep : palette.bright)
    let colours = [isNight ? palette.bright : palette.deep, palette.pale]
    switch dice.below(3) {
    case 0: mosaic(colours, &drawing, &dice)
    case 1: petals(colours, &drawing, &dice)
    default: quarters(colours, &drawing, &dice)
    }
    return drawing
  }

  /// Five by five dots, the left half mirrored.
  private static func mosaic(
    _ colours: [String], _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    for row in 0..<5 {
      for column in 0..<3 where !dice.once(in: column == 2 ? 5 : 3) {
        let colour = dice.once(in: 4) ? colours[1] : colours[0]
        for place in Set([column, 4 - column]).sorted() {
          drawing.circle(14 + place * 13, 14 + row * 13, 6, colour)
        }
      }
    }
    drawing.circle(40, 40, 6, colours[1])
  }

  /// A flower of five to nine petals.
  private static func petals(
    _ colours: [String], _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    let count = 5 + dice.below(5)
    let (width, turn) = (7 + dice.below(5), dice.below(60))
    for index in 0..<count {
      let angle = turn + index * 360 / count
      drawing.add(
        "<ellipse cx=\"40\" cy=\"22\" rx=\"\(width)\" ry=\"16\" fill=\"\(colours[0])\" "
          + "opacity=\"0.8\" transform=\"rotate(\(angle) 40 40)\"/>")
    }
    drawing.circle(40, 40, 7 + dice.below(4), colours[1])
  }

  /// Sixteen tiles with a quarter of a disc each.
  private static func quarters(
    _ colours: [String], _ drawing: inout Drawing, _ dice: inout SplitMix
  ) {
    for row in 0..<4 {
      for column in 0..<4 where !dice.once(in: 6) {
        let (x, y) = (column * 20, row * 20)
        let shape =
          switch dice.below(4) {
          case 0: "M\(x) \(y)h20a20 20 0 0 1 -20 20z"
          case 1: "M\(x + 20) \(y)v20a20 20 0 0 1 -20 -20z"
          case 2: "M\(x + 20) \(y + 20)h-20a20 20 0 0 1 20 -20z"
          default: "M\(x) \(y + 20)v-20a20 20 0 0 1 20 20z"
          }
        drawing.path(shape, dice.once(in: 4) ? colours[1] : colours[0], opacity: "0.9")
      }
    }
  }
}
