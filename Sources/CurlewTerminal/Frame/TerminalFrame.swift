/// The lines of a terminal's window and the caret: a pure function of the screen's view, the controls and the size.
struct TerminalFrame: Equatable, Sendable {
  /// The lines from the top.
  ///
  /// Styles end in the same line (ECMA-48, SGR), and absolute columns (CHA) compensate for
  /// different widths of emoji in terminals.
  let lines: [String]
  /// The control sequences that show the caret in the focused field; empty if no field has the focus.
  let caret: String
  let columns: Int

  /// Lays out a view.
  ///
  /// - Parameter controls: The controls, which receive the scrollable range.
  init(
    _ view: ViewContent, _ controls: inout TerminalControls, on terminal: Terminal, rows: Int
  ) {
    // A smaller terminal cuts off the frame.
    columns = max(20, terminal.width ?? 80)
    let rows = max(5, rows)
    let hasText = controls.text(in: view) != nil
    let hasRows = controls.selection(in: view) != nil
    controls.splitColumn = columns >= 100 && hasText && hasRows ? columns / 2 - 2 : nil
    controls.settle(in: view)
    var layout = TerminalLayout(
      view: view, controls: controls, terminal: terminal.narrowed(to: columns))
    let head = layout.head(atMost: max(2, rows - (hasText || hasRows ? 4 : 2)))
    let height = rows - head.count - 1
    let body = layout.body(top: head.count, height: height).prefix(height)
    layout.controls.targets = head.map(\.target)
    controls = layout.controls
    // The position in the body is known now.
    lines =
      head.map { $0.isRule ? layout.rule : $0.text } + body
      + Array(repeating: "", count: max(0, height - body.count)) + [layout.help]
    caret = head.enumerated().compactMap { row, line in
      line.caret.map { "\u{1B}[\(row + 1);\($0 + 1)H\u{1B}[?25h" }
    }.joined()
  }

  /// Returns the control sequences that draw the lines that differ from another frame (ECMA-48); all lines without one or
  /// for another size, and an empty text if nothing differs.
  func changes(since drawn: TerminalFrame?, on terminal: Terminal) -> String {
    guard self != drawn else { return "" }
    let old = drawn.flatMap {
      $0.columns == columns && $0.lines.count == lines.count ? $0.lines : nil
    }
    // Hides the caret, so that it doesn't visibly jump.
    var text = "\u{1B}[?25l" + (old == nil ? "\u{1B}[2J" : "")
    for (index, line) in lines.enumerated() where old == nil || old?[index] != line {
      // The line is erased before, because after the last column the cursor may stay on the last character.
      text += "\u{1B}[\(index + 1);1H\u{1B}[K\(terminal.encoded(line))"
    }
    return text + caret
  }
}
