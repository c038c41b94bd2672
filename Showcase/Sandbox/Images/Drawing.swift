/// A picture of vectors, which grows element by element.
struct Drawing: Sendable {
  /// The units of the drawing, whatever size it is shown in.
  let (width, height): (Int, Int)
  private var shown: (width: Int, height: Int)
  private var elements: [String] = []

  init(_ width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
    shown = (width, height)
  }

  /// The same drawing for another size in pixels.
  func sized(_ width: Int, _ height: Int) -> Drawing {
    var drawing = self
    drawing.shown = (max(1, width), max(1, height))
    return drawing
  }

  mutating func add(_ element: String) { elements.append(element) }

  mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ fill: String) {
    add("<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(fill)\"/>")
  }

  mutating func circle(_ x: Int, _ y: Int, _ radius: Int, _ fill: String, opacity: String = "1") {
    add(
      "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" fill=\"\(fill)\" opacity=\"\(opacity)\"/>")
  }

  mutating func ring(_ x: Int, _ y: Int, _ radius: Int, _ stroke: String, width: Int) {
    add(
      "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" fill=\"none\" stroke=\"\(stroke)\" "
        + "stroke-width=\"\(width)\"/>")
  }

  mutating func path(_ path: String, _ fill: String, opacity: String = "1") {
    add("<path d=\"\(path)\" fill=\"\(fill)\" opacity=\"\(opacity)\"/>")
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(shown.width)" height="\(shown.height)" \
    viewBox="0 0 \(width) \(height)">\(elements.joined())</svg>
    """
  }
}

/// Two colours that go together, and a pale one for letters on the deep one.
struct Palette: Sendable {
  let deep: String
  let bright: String
  let pale: String

  static let all = [
    Palette(deep: "#1b2a49", bright: "#f2a154", pale: "#fdeeda"),
    Palette(deep: "#22333b", bright: "#c6ac8f", pale: "#f2ede4"),
    Palette(deep: "#2d1e2f", bright: "#e36588", pale: "#fbe1e8"),
    Palette(deep: "#0b3c49", bright: "#73d2de", pale: "#e2f7f9"),
    Palette(deep: "#2b1a63", bright: "#f7b32b", pale: "#fff2d1"),
    Palette(deep: "#14342b", bright: "#bbdf6b", pale: "#f1f9dc"),
    Palette(deep: "#4f0f38", bright: "#fb8b24", pale: "#ffe6cc"),
    Palette(deep: "#16294a", bright: "#e8505b", pale: "#ffe3e5"),
    Palette(deep: "#33261d", bright: "#e0a458", pale: "#faecd5"),
    Palette(deep: "#102a43", bright: "#8fb8de", pale: "#eaf3fb"),
    Palette(deep: "#37123c", bright: "#a8d8b9", pale: "#e8f6ed"),
    Palette(deep: "#4a1c1c", bright: "#f4d58d", pale: "#fdf5e1"),
  ]
}
