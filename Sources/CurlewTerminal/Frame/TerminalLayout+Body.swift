extension TerminalLayout {
  /// Returns the list, and the text beside it or instead of it.
  ///
  /// - Parameter top: The line of the window at which the body begins.
  mutating func body(top: Int, height: Int) -> [String] {
    controls.rowLines = 0..<0
    guard let text = controls.text(in: view) else { return rows(top: top, height: height) }
    guard let left = controls.splitColumn else {
      return visible(text.lines(on: terminal), height: height)
    }
    var list = TerminalLayout(
      view: view, controls: controls, terminal: terminal.narrowed(to: left))
    let rows = list.rows(top: top, height: height)
    controls = list.controls
    let lines = visible(
      text.lines(on: terminal.narrowed(to: width - left - 3)), height: height)
    let bar = "\u{1B}[\(left + 1)G" + " │ ".styled("2", in: colors)
    return (0..<max(rows.count, lines.count)).map { index in
      (index < rows.count ? rows[index] : "") + bar + (index < lines.count ? lines[index] : "")
    }
  }

  /// Returns the visible lines of the text.
  private mutating func visible(_ lines: [String], height: Int) -> [String] {
    (controls.textCount, controls.textTotal) = (height, lines.count)
    controls.textOffset = max(0, min(controls.textOffset, lines.count - height))
    return Array(lines.dropFirst(controls.textOffset).prefix(height))
  }

  /// Returns the note, the heading and the visible rows, including the selected row.
  private mutating func rows(top: Int, height: Int) -> [String] {
    var note = (view.note.map { $0.printable.wrapped(to: width) } ?? [])
      .map { $0.styled("2", in: colors) }
    guard let list = view.list, list.count > 0 else { return note }
    if note.count + 3 > height { note = [] }
    // A marker and a space are before each row.
    let inner = terminal.narrowed(to: width - 2)
    // The heading takes a line, unless it is empty.
    var visible = scroll(list, height: height - note.count - 1)
    var (heading, lines) = list.rows(visible, inner)
    if heading.isEmpty || height < 4 {
      visible = scroll(list, height: height - note.count)
      (heading, lines) = ("", list.rows(visible, inner).lines)
    }
    let head = note + (heading.isEmpty ? [] : ["  " + heading])
    controls.rowLines = top + head.count..<top + head.count + lines.count
    let rows = zip(visible, lines).map { index, line in
      guard index == controls.row else {
        return "  " + (list.isOld ? line.withoutStyles.styled("2", in: colors) : line)
      }
      let text = "› " + line.withoutStyles
      return controls.focus == .list
        ? text.padded(to: width).styled("7", in: colors) : text.styled("1", in: colors)
    }
    guard let footer = list.footer, controls.rowOffset + controls.rowCount > list.count else {
      return head + rows
    }
    return head + rows
      + ["  " + footer.printable.fitted(to: width - 2).styled("2", in: colors)]
  }

  /// Returns the range of visible rows; the footer scrolls into view together with the last row.
  private mutating func scroll(_ list: ListContent, height: Int) -> Range<Int> {
    let (height, count) = (max(1, height), list.count + (list.footer == nil ? 0 : 1))
    let last = controls.row == list.count - 1 && height > 1 ? count - 1 : controls.row
    controls.rowCount = height
    controls.rowOffset = min(max(controls.rowOffset, last - height + 1), controls.row)
    controls.rowOffset = max(0, min(controls.rowOffset, count - height))
    return controls.rowOffset..<min(list.count, controls.rowOffset + height)
  }
}
