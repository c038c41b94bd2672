/// Two matching colors, and a pale color for text on the deep color.
struct Palette: Decodable, Sendable {
  let deep, bright, pale: String

  static let all = decodeResource(PackageResources.palettes_json, as: [Palette].self)
}

/// A vector image in the colors of a palette, generated from random numbers.
struct Drawing: Sendable {
  /// The size in drawing units, independent of the displayed size.
  let width, height: Int
  let palette: Palette
  var random: SeededGenerator
  private var shown: (width: Int, height: Int)
  private var elements: [String] = []

  init(_ width: Int, _ height: Int, seed: UInt64) {
    (self.width, self.height, shown) = (width, height, (width, height))
    random = SeededGenerator(seed: seed)
    palette = random.pick(Palette.all)
  }

  /// Returns the same drawing for another display size in pixels.
  func sized(_ width: Int, _ height: Int) -> Drawing {
    var drawing = self
    drawing.shown = (max(1, width), max(1, height))
    return drawing
  }

  mutating func add(_ element: String) { elements.append(element) }

  mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ fill: String) {
    add(#"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" fill="\#(fill)"/>"#)
  }

  mutating func circle(_ x: Int, _ y: Int, _ radius: Int, _ fill: String, opacity: String = "1") {
    add(#"<circle cx="\#(x)" cy="\#(y)" r="\#(radius)" fill="\#(fill)" opacity="\#(opacity)"/>"#)
  }

  mutating func path(_ path: String, _ fill: String, opacity: String = "1") {
    add(#"<path d="\#(path)" fill="\#(fill)" opacity="\#(opacity)"/>"#)
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(shown.width)" height="\(shown.height)" \
    viewBox="0 0 \(width) \(height)">\(elements.joined())</svg>
    """
  }
}
