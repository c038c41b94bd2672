/// The body of a page in a terminal: the list, and the details beside it or instead of it.
enum TerminalBody {
  /// The columns for the marker before a row.
  private static let margin = 2

  /// Returns whether the details fit beside the list.
  static func isWide(
    _ view: TerminalView, _ controls: TerminalControls, _ size: TerminalSize
  ) -> Bool {
    size.columns >= 100 && view.content.list?.keys.isEmpty == false
      && controls.detail(in: view) != nil
  }

  static func lines(
    _ view: TerminalView, _ controls: inout TerminalControls, on terminal: Terminal, height: Int
  ) -> [String] {
    let width = terminal.width ?? 80
    guard let detail = controls.detail(in: view) else {
      return list(view, &controls, on: terminal, height: height)
    }
    guard controls.isWide else {
      return text(detail.lines(on: terminal), &controls, height: height)
    }
    let left = width / 2 - 2
    let rows = list(view, &controls, on: terminal.narrowed(to: left), height: height)
    let lines = text(
      detail.lines(on: terminal.narrowed(to: width - left - 3)), &controls, height: height)
    let bar = "\u{1B}[\(left + 1)G" + " │ ".styled("2", in: terminal.colors)
    return (0..<max(rows.count, lines.count)).map { index in
      let row = index < rows.count ? rows[index] : ""
      let space = String(repeating: " ", count: max(0, left - row.withoutStyles.terminalWidth))
      return row + space + bar + (index < lines.count ? lines[index] : "")
    }
  }

  /// Returns the visible lines of the details.
  private static func text(
    _ lines: [String], _ controls: inout TerminalControls, height: Int
  ) -> [String] {
    (controls.detailCount, controls.detailTotal) = (height, lines.count)
    controls.detailOffset = max(0, min(controls.detailOffset, lines.count - height))
    return Array(lines.dropFirst(controls.detailOffset).prefix(height))
  }

  /// Returns the visible rows, including the selected row.
  private static func list(
    _ view: TerminalView, _ controls: inout TerminalControls, on terminal: Terminal, height: Int
  ) -> [String] {
    let width = terminal.width ?? 80
    var note = (view.content.note.map { $0.printable.wrapped(to: width) } ?? [])
      .map { $0.styled("2", in: terminal.colors) }
    guard let list = view.content.list, !list.keys.isEmpty else { return note }
    if note.count + 3 > height { note = [] }
    let lines = list.lines(on: terminal.narrowed(to: width - margin))
    let head = lines[0].withoutStyles.isEmpty || height < 4 ? [] : ["  " + lines[0]]
    let space = max(1, height - head.count - note.count)
    let count = list.keys.count + (list.footer == nil ? 0 : 1)
    // The footer scrolls into view together with the last row.
    let last = controls.row == list.keys.count - 1 && space > 1 ? count - 1 : controls.row
    controls.rowCount = space
    controls.rowOffset = min(max(controls.rowOffset, last - space + 1), controls.row)
    controls.rowOffset = max(0, min(controls.rowOffset, count - space))
    let rows = (controls.rowOffset..<min(count, controls.rowOffset + space)).map { index in
      guard index < list.keys.count else {
        return "  "
          + (list.footer ?? "").fitted(to: width - margin)
          .styled("2", in: terminal.colors)
      }
      let line = lines[index + 1]
      guard index == controls.row else {
        return "  " + (list.isOld ? line.withoutStyles.styled("2", in: terminal.colors) : line)
      }
      let isFocused = controls.focus == .list
      let text = "› " + line.withoutStyles
      return isFocused
        ? text.padded(to: width).styled("7", in: terminal.colors)
        : text.styled("1", in: terminal.colors)
    }
    return note + head + rows
  }
}
