/// The columns and rows of a terminal's window.
package struct TerminalSize: Equatable, Sendable {
  package let columns: Int
  package let rows: Int

  /// Creates a size of at least 20 columns and 5 rows; a smaller terminal cuts off the frame.
  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(20, columns), max(5, rows))
  }
}

/// The lines of a terminal's window and the caret: a pure function of the page's view, the controls
/// and the size.
package struct TerminalFrame: Equatable, Sendable {
  /// The zero-based row and column of the caret.
  package struct Caret: Equatable, Sendable {
    package let row: Int
    package let column: Int
  }

  /// The lines from the top.
  ///
  /// Styles end in the same line (ECMA-48, SGR), and absolute columns (CHA) compensate for
  /// different widths of emoji in terminals.
  package let lines: [String]
  /// The caret of the focused field; `nil` if no field has the focus.
  package let caret: Caret?
  package let size: TerminalSize

  /// Lays out a view.
  ///
  /// - Parameter controls: The controls, which receive the scrollable range.
  package init(
    _ view: TerminalView, _ controls: inout TerminalControls, size: TerminalSize,
    colors: Terminal.Colors
  ) {
    self.size = size
    controls.isWide = TerminalBody.isWide(view, controls, size)
    controls.settle(in: view)
    let terminal = Terminal(width: size.columns, colors: colors)
    let hasBody = controls.selection(in: view) != nil || controls.detail(in: view) != nil
    var head = TerminalHead(
      view, controls, on: terminal, most: max(2, size.rows - (hasBody ? 4 : 2)))
    let height = size.rows - head.lines.count - 1
    let body =
      controls.showsKeys
      ? TerminalHelp.lines(for: view, controls, on: terminal)
      : TerminalBody.lines(view, &controls, on: terminal, height: height)
    head.rule(off: view, controls, on: terminal)
    let space = Array(repeating: "", count: max(0, height - body.count))
    lines =
      head.lines + body.prefix(height) + space
      + [TerminalHelp.line(for: view, controls, on: terminal)]
    caret = head.caret
  }
}

extension String {
  /// The text without styling sequences.
  package var withoutStyles: String { replacing(/\u{1B}\[[0-9;]*[mG]/, with: "") }
}
