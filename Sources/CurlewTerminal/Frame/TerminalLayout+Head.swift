import CurlewScreens

extension TerminalLayout {
  /// A line above the body: the title, fields, choices, the status, or an alert.
  struct HeadLine {
    var text = ""
    /// Lines with the highest rank are omitted first, and lines with rank 0 last.
    let rank: Int
    /// The element that gets the focus by a click on the line.
    var target: TerminalControls.Focus?
    /// The column of the caret in the line.
    var caret: Int?
    /// Whether the line is the rule above the body.
    var isRule = false
  }

  /// Returns the lines above the body.
  func head(atMost most: Int) -> [HeadLine] {
    // The text needs the space more than the controls.
    let isCovered = controls.isCovered(in: view)
    var lines = [HeadLine(text: title, rank: 0)]
    for (index, field) in view.fields.enumerated()
    where !isCovered || controls.focus == .field(index) {
      lines.append(line(of: field, index))
      if let problem = field.problem {
        let text = "  \(problem.printable)".fitted(to: width)
        lines.append(HeadLine(text: text.styled("31", in: colors), rank: 3))
      }
    }
    if !isCovered {
      // A blank line in place of an empty status keeps the list's position stable.
      lines += choices + wrapped(view.status, "1", most: 2, rank: 0)
      if !view.remarks.isEmpty {
        let text = view.remarks.joined(separator: " · ").printable.fitted(to: width)
        lines.append(HeadLine(text: text.styled("2", in: colors), rank: 5))
      }
    }
    for (text, alert) in view.alerts {
      let retry = alert.canRetry ? " Press r to try again, x to dismiss." : " Press x to dismiss."
      lines += wrapped(text + retry, "31", most: 4, rank: 2)
    }
    lines.append(HeadLine(rank: 6, isRule: true))
    let omitted = lines.indices.sorted { (lines[$0].rank, $0) > (lines[$1].rank, $1) }
      .prefix(max(0, lines.count - most))
    return lines.indices.filter { !omitted.contains($0) }.map { lines[$0] }
  }

  /// Returns the lines of a text; the first one is the most important.
  private func wrapped(_ text: String, _ style: String, most: Int, rank: Int) -> [HeadLine] {
    text.printable.wrapped(to: width).prefix(most).enumerated().map { index, line in
      HeadLine(text: line.styled(style, in: colors), rank: rank + min(1, index))
    }
  }

  private var title: String {
    let end = view.isBusy ? "loading… " : ""
    let space = width - end.terminalWidth
    let title = " \(view.title.printable)".fitted(to: space).padded(to: space)
    return (title + end).styled("1;7", in: colors)
  }

  /// Returns a field's label and text.
  private func line(of field: FieldContent, _ index: Int) -> HeadLine {
    let isFocused = controls.focus == .field(index)
    let label = "\(field.label.printable): ".fitted(to: width / 2)
    let space = width - label.terminalWidth - 1
    var line = HeadLine(
      text: label.styled(isFocused ? "1;36" : "2", in: colors), rank: isFocused ? 0 : 1,
      target: .field(index))
    // If the text before the caret is too long, its beginning is cut off.
    var used = 0
    let kept = String(field.text.prefix(controls.caret)).printable.reversed().prefix { character in
      used += character.terminalWidth
      return used <= space
    }
    let before = String(kept.reversed())
    if isFocused { line.caret = label.terminalWidth + before.terminalWidth }
    if field.text.isEmpty {
      line.text += field.prompt.printable.fitted(to: space).styled("2", in: colors)
    } else if isFocused {
      let after = String(field.text.dropFirst(controls.caret).prefix(space)).printable
      line.text += (before + after).fitted(to: space)
    } else {
      line.text += field.text.printable.fitted(to: space)
    }
    return line
  }

  /// The choices, several in a line if there is space.
  private var choices: [HeadLine] {
    var lines: [HeadLine] = []
    var used = 0
    for (index, choice) in view.choices.enumerated() {
      let isFocused = controls.focus == .choice(index)
      let value = isFocused ? "‹ \(choice.title) ›" : choice.title
      let plain = "\(choice.label): \(value)".printable.fitted(to: width)
      let text = isFocused ? plain.styled("7", in: colors) : plain
      if let last = lines.indices.last, used + 2 + plain.terminalWidth <= width {
        lines[last].text += "  " + text
        used += 2 + plain.terminalWidth
      } else {
        lines.append(HeadLine(text: text, rank: 1, target: .choice(index)))
        used = plain.terminalWidth
      }
    }
    return lines
  }

  /// The rule above the body, with the position in the list or the text.
  var rule: String {
    var end = ""
    if controls.focus == .text {
      let shown = min(controls.textTotal, controls.textOffset + controls.textCount)
      if controls.textTotal > controls.textCount {
        end = " line \(shown) of \(controls.textTotal) ─"
      }
    } else if let row = controls.selection(in: view), let count = view.list?.count {
      end = " \((row + 1)) of \(count) ─"
    }
    let rule = String(repeating: "─", count: max(0, width - end.terminalWidth))
    return (rule + end).fitted(to: width).styled("2", in: colors)
  }
}
