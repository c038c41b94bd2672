/// A cell of a table.
struct Cell: Equatable {
  let spans: [Span]
  let width: Int

  init(_ spans: [Span]) {
    self.spans = spans
    width = spans.width
  }

  init(_ text: String, _ style: Span.Style = .plain) {
    self.init([Span(text, style)])
  }

  /// The pieces in at most this many columns, the last one an ellipsis where something is cut off.
  func fitted(to limit: Int) -> [Span] {
    guard width > limit else { return spans }
    guard limit > 0 else { return [] }
    var left = limit - 1
    var kept: [Span] = []
    for span in spans {
      let text = String(span.text.prefix(in: &left))
      if !text.isEmpty { kept.append(Span(text, span.style)) }
      guard text == span.text else { break }
    }
    return kept + [Span("…", .faint)]
  }

  /// The pieces in exactly this many columns; in more where they don't fit and nothing is cut off.
  func padded(to width: Int, _ alignment: Table.Alignment, isCut: Bool) -> [Span] {
    let fitted = isCut ? fitted(to: width) : spans
    let space = width - fitted.width
    guard space > 0 else { return fitted }
    let padding = [Span(String(repeating: " ", count: space))]
    return alignment == .right ? padding + fitted : fitted + padding
  }
}

extension String {
  /// The characters that fit into the columns that are left, which they take.
  fileprivate func prefix(in left: inout Int) -> Substring {
    prefix { character in
      let width = character.terminalWidth
      guard width <= left else { return false }
      left -= width
      return true
    }
  }
}
