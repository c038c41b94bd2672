import CurlewLive

/// A drawing of a page in the colours of the pages, 160 by 90, with a few texts of its content.
struct Miniature {
  let html: HTML

  /// Draws rows with a picture, a title and details; the first of them may be marked as new.
  static func rows(_ titles: [String], isRound: Bool = true, isNew: Bool = false) -> Miniature {
    drawing(titles) { index, title in
      let top = 4 + 28 * index
      let mark = isNew && index == 0 ? rect("a", 0, top, 3, 26, 0) : ""
      return rect("c", 0, top, 160, 26, 0) + mark
        + rect("t\(index + 1) p", 10, top + 5, 16, 16, isRound ? 8 : 4)
        + text(title, 33, top + 12) + rect("q", 33, top + 17, 46, 3, 1)
    }
  }

  /// Draws two columns of cards.
  static func cards(_ titles: [String]) -> Miniature {
    drawing(titles) { index, title in
      let (left, top) = (6 + index % 2 * 76, 8 + index / 2 * 39)
      return rect("c", left, top, 72, 34, 4) + rect("t\(index + 1) p", left + 6, top + 6, 12, 12, 3)
        + text(title, left + 22, top + 14) + rect("q", left + 6, top + 24, 40, 3, 1)
    }
  }

  /// Draws a row of posters over their titles.
  static func posters(_ titles: [String]) -> Miniature {
    drawing(titles) { index, title in
      let left = 8 + 50 * index
      return rect("t\(index + 1) p", left, 8, 44, 60, 4)
        + "<circle class=\"c\" cx=\"\(left + 12 + 8 * index)\" cy=\"26\" r=\"6\"/>"
        + "<path class=\"t\(index + 2) p\" d=\"M\(left) 68V50q11-10 22 0t22-4v22z\"/>"
        + text(title, left, 79)
    }
  }

  /// Draws rows with a rank, a poster and a title.
  static func ranks(_ titles: [String]) -> Miniature {
    drawing(titles) { index, title in
      let top = 4 + 28 * index
      return rect("c", 0, top, 160, 26, 0) + rect("a", 8, top + 7, 12, 12, 4)
        + rect("t\(index + 2) p", 26, top + 3, 14, 20, 2) + text(title, 47, top + 12)
        + rect("q", 47, top + 17, 30, 3, 1)
    }
  }

  private static func drawing(_ titles: [String], _ shape: (Int, String) -> String) -> Miniature {
    let shapes = titles.enumerated().map { shape($0, $1) }.joined()
    return Miniature(
      html: HTML(trusted: "<svg viewBox=\"0 0 160 90\" aria-hidden=\"true\">\(shapes)</svg>"))
  }

  private static func rect(
    _ style: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ radius: Int
  ) -> String {
    #"<rect class="\#(style)" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" rx="\#(radius)"/>"#
  }

  private static func text(_ text: String, _ x: Int, _ y: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\">\(HTML(text: text).text)</text>"
  }
}
