/// The body of a screen in a terminal: the list, and the text beside it or instead of it.
enum TerminalBody {
  /// The columns for the marker before a row.
  private static let margin = 2

  /// Returns whether the text fits beside the list.
  static func isWide(
    _ view: ViewContent, _ controls: TerminalControls, _ size: TerminalSize
  ) -> Bool {
    size.columns >= 100 && (view.list?.count ?? 0) > 0 && controls.text(in: view) != nil
  }

  /// - Parameter top: The line of the window at which the body begins.
  static func lines(
    _ view: ViewContent, _ controls: inout TerminalControls, on terminal: Terminal, top: Int,
    height: Int
  ) -> [String] {
    let width = terminal.width ?? 80
    controls.rowLines = 0..<0
    guard let content = controls.text(in: view) else {
      return list(view, &controls, on: terminal, top: top, height: height)
    }
    guard controls.isWide else {
      return text(content.lines(on: terminal), &controls, height: height)
    }
    let left = width / 2 - 2
    controls.splitColumn = left
    let rows = list(view, &controls, on: terminal.narrowed(to: left), top: top, height: height)
    let lines = text(
      content.lines(on: terminal.narrowed(to: width - left - 3)), &controls, height: height)
    let bar = "\u{1B}[\(left + 1)G" + " │ ".styled("2", in: terminal.colors)
    return (0..<max(rows.count, lines.count)).map { index in
      let row = index < rows.count ? rows[index] : ""
      let space = String(repeating: " ", count: max(0, left - row.withoutStyles.terminalWidth))
      return row + space + bar + (index < lines.count ? lines[index] : "")
    }
  }

  /// Returns the visible lines of the text.
  private static func text(
    _ lines: [String], _ controls: inout TerminalControls, height: Int
  ) -> [String] {
    (controls.textCount, controls.textTotal) = (height, lines.count)
    controls.textOffset = max(0, min(controls.textOffset, lines.count - height))
    return Array(lines.dropFirst(controls.textOffset).prefix(height))
  }

  /// Returns the visible rows, including the selected row.
  private static func list(
    _ view: ViewContent, _ controls: inout TerminalControls, on terminal: Terminal, top: Int,
    height: Int
  ) -> [String] {
    let width = terminal.width ?? 80
    var note = (view.note.map { $0.printable.wrapped(to: width) } ?? [])
      .map { $0.styled("2", in: terminal.colors) }
    guard let list = view.list, list.count > 0 else { return note }
    if note.count + 3 > height { note = [] }
    let inner = terminal.narrowed(to: width - margin)
    let count = list.count + (list.footer == nil ? 0 : 1)
    func scroll(_ space: Int) -> Range<Int> {
      // The footer scrolls into view together with the last row.
      let last = controls.row == list.count - 1 && space > 1 ? count - 1 : controls.row
      controls.rowCount = space
      controls.rowOffset = min(max(controls.rowOffset, last - space + 1), controls.row)
      controls.rowOffset = max(0, min(controls.rowOffset, count - space))
      return controls.rowOffset..<min(list.count, controls.rowOffset + space)
    }
    // The heading takes a line, unless it is empty.
    var visible = scroll(max(1, height - note.count - 1))
    var (heading, lines) = list.rows(visible, inner)
    if heading.withoutStyles.isEmpty || height < 4 {
      heading = ""
      visible = scroll(max(1, height - note.count))
      lines = list.rows(visible, inner).lines
    }
    let head = heading.isEmpty ? [] : ["  " + heading]
    controls.rowLines = top + note.count + head.count..<top + note.count + head.count + lines.count
    let rows = zip(visible, lines).map { index, line in
      guard index == controls.row else {
        return "  " + (list.isOld ? line.withoutStyles.styled("2", in: terminal.colors) : line)
      }
      let text = "› " + line.withoutStyles
      return controls.focus == .list
        ? text.padded(to: width).styled("7", in: terminal.colors)
        : text.styled("1", in: terminal.colors)
    }
    let footer = list.footer.flatMap { footer in
      controls.rowOffset + controls.rowCount > list.count
        ? "  " + footer.printable.fitted(to: width - margin).styled("2", in: terminal.colors) : nil
    }
    return note + head + rows + [footer].compactMap(\.self)
  }
}
