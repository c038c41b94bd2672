/// Markup that was divided into fragments, with the pieces in it.
package struct Markup: Sendable {
  /// The markup, in which markers stand for the pieces; empty once it is shown.
  let shell: String
  package let root: Fragment
  let pieces: [LivePiece]

  private init(_ shell: String, _ root: Fragment, _ pieces: [LivePiece]) {
    (self.shell, self.root, self.pieces) = (shell, root, pieces)
  }

  /// Divides markup; into one fragment, where there are more than a limit.
  package init(_ html: HTML, limit: Int = 10_000) {
    let root = Self.read(html.shell, limit: limit)
    let names = root.pieceNames
    let pieces = html.pieces.filter { names.contains($0.name) }
    // One that is shown and nowhere in the fragments, or twice, can't be changed on its own.
    if html.pieces.isEmpty || pieces.count == names.count && names.count == html.markerCount {
      self.init(html.shell, root, pieces)
    } else {
      let text = html.text
      self.init(text, Self.read(text, limit: limit), [])
    }
  }

  private static func read(_ text: String, limit: Int) -> Fragment {
    var text = text
    return text.withUTF8 { MarkupReader.read(UnsafeRawBufferPointer($0), limit: limit) }
  }

  /// What is compared with later markup.
  var shown: Markup { Markup("", root, pieces) }

  subscript(piece name: String) -> (any PieceContent)? {
    pieces.first { $0.name == name }?.content
  }

  /// The whole markup.
  var text: String { html(0..<shell.utf8.count) }

  /// Returns the markup between two positions, with the pieces in it.
  func html(_ range: Range<Int>) -> String {
    let start = shell.utf8.index(shell.startIndex, offsetBy: range.lowerBound)
    let part = shell[start..<shell.utf8.index(start, offsetBy: range.count)]
    guard !pieces.isEmpty else { return String(part) }
    var text = ""
    HTML.write(part, pieces, to: &text)
    return text
  }

  /// Returns what stands for all of it where it has not changed.
  func kept() -> [MarkupSegment] {
    var difference = MarkupDifference(from: self, to: self)
    return difference.allSegments()
  }

  #if DEBUG
    /// Returns whether two render the same, but for what is a script's.
    func isSame(as other: Markup) -> Bool {
      func isSame(_ a: Fragment, _ b: Fragment) -> Bool {
        a.shell == b.shell && a.children.count == b.children.count
          && zip(a.children, b.children).allSatisfy(isSame)
      }
      return isSame(root, other.root)
    }
  #endif
}

extension Fragment {
  /// The names of the pieces in it.
  var pieceNames: [String] {
    children.flatMap { child in child.isPiece ? [child.key] : child.pieceNames }
  }
}
