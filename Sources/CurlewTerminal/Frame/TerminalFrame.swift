/// The columns and rows of a terminal's window.
struct TerminalSize: Equatable, Sendable {
  let columns: Int
  let rows: Int

  /// Creates a size of at least 20 columns and 5 rows; a smaller terminal cuts off the frame.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(20, columns), max(5, rows))
  }
}

/// The lines of a terminal's window and the caret: a pure function of the screen's view, the controls
/// and the size.
struct TerminalFrame: Equatable, Sendable {
  /// The zero-based row and column of the caret.
  struct Caret: Equatable, Sendable {
    let row: Int
    let column: Int
  }

  /// The lines from the top.
  ///
  /// Styles end in the same line (ECMA-48, SGR), and absolute columns (CHA) compensate for
  /// different widths of emoji in terminals.
  let lines: [String]
  /// The caret of the focused field; `nil` if no field has the focus.
  let caret: Caret?
  let size: TerminalSize

  /// Lays out a view.
  ///
  /// - Parameter controls: The controls, which receive the scrollable range.
  init(
    _ view: ViewContent, _ controls: inout TerminalControls, size: TerminalSize,
    on terminal: Terminal
  ) {
    self.size = size
    controls.isWide = TerminalBody.isWide(view, controls, size)
    controls.settle(in: view)
    let terminal = terminal.narrowed(to: size.columns)
    let hasBody = controls.selection(in: view) != nil || controls.text(in: view) != nil
    var head = TerminalHead(
      view, controls, on: terminal, most: max(2, size.rows - (hasBody ? 4 : 2)))
    controls.targets = head.targets
    let (top, height) = (head.lines.count, size.rows - head.lines.count - 1)
    let body = TerminalBody.lines(view, &controls, on: terminal, top: top, height: height)
    head.rule(off: view, controls, on: terminal)
    let space = Array(repeating: "", count: max(0, height - body.count))
    lines =
      head.lines + body.prefix(height) + space
      + [TerminalHelp.line(for: view, controls, on: terminal)]
    caret = head.caret
  }
}
