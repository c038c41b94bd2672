/// Markup that is divided into fragments, with its pieces.
package struct Markup: Sendable {
  /// The markup, with a marker in place of each piece; empty in ``shown``.
  let shell: String
  package let root: Fragment
  let pieces: [LivePiece]

  private init(_ shell: String, _ root: Fragment, _ pieces: [LivePiece]) {
    (self.shell, self.root, self.pieces) = (shell, root, pieces)
  }

  /// Creates fragments from markup; a single fragment if there would be more than `limit`.
  package init(_ html: HTML, limit: Int = 10_000) {
    let root = Self.read(html.shell, limit: limit)
    let names = root.pieceNames
    let pieces = html.pieces.filter { names.contains($0.name) }
    // A piece can't be changed separately if its marker is in no fragment, or occurs twice.
    if html.pieces.isEmpty || pieces.count == names.count && names.count == html.markerCount {
      self.init(html.shell, root, pieces)
    } else if !pieces.isEmpty, pieces.count < html.pieces.count {
      // The other pieces are rendered with the markup around them.
      var shell = ""
      HTML.write(html.shell[...], html.pieces.filter { !names.contains($0.name) }, to: &shell)
      self.init(HTML(trusted: shell, pieces: pieces), limit: limit)
    } else {
      let text = html.text
      self.init(text, Self.read(text, limit: limit), [])
    }
  }

  private static func read(_ text: String, limit: Int) -> Fragment {
    var text = text
    return text.withUTF8 { MarkupReader.read(UnsafeRawBufferPointer($0), limit: limit) }
  }

  /// The fragments and pieces without the text, for a comparison with later markup.
  var shown: Markup { Markup("", root, pieces) }

  subscript(piece name: String) -> (any PieceContent)? {
    pieces.first { $0.name == name }?.content
  }

  /// The complete markup.
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

  /// Returns the segments that represent the unchanged markup.
  func kept() -> [MarkupSegment] {
    var difference = MarkupDifference(from: self, to: self)
    return difference.allSegments()
  }

  #if DEBUG
    /// Returns whether two values have the same markup, except in content that scripts manage.
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
  /// The names of the pieces in the fragment.
  var pieceNames: [String] {
    children.flatMap { child in child.isPiece ? [child.key] : child.pieceNames }
  }
}
