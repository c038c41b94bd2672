/// A piece of a line in one style.
struct Span: Equatable {
  enum Style: Equatable {
    case plain, bold, faint
    /// Words on a coloured ground.
    case chip(Color)
  }

  /// Free of anything that would steer the terminal.
  let text: String
  let style: Style

  init(_ text: String, _ style: Style = .plain) {
    self.text = text.printable
    self.style = style
  }
}

extension [Span] {
  /// The columns that they take.
  var width: Int { reduce(0) { $0 + $1.text.terminalWidth } }

  /// The line as it is written, without space at its end.
  func rendered(in colors: Terminal.Colors) -> String {
    var spans = self
    while let last = spans.last, last.style == .plain, last.text.allSatisfy({ $0 == " " }) {
      spans.removeLast()
    }
    return spans.map { $0.rendered(in: colors) }.joined()
  }
}

extension Span {
  fileprivate func rendered(in colors: Terminal.Colors) -> String {
    guard colors != .none else { return text }
    return switch style {
    case .plain: text
    case .bold: "\u{1B}[1m\(text)\u{1B}[0m"
    case .faint: "\u{1B}[2m\(text)\u{1B}[0m"
    case .chip(let color): color.selection(in: colors) + text + "\u{1B}[0m"
    }
  }
}
