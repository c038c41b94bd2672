/// The upper lines of a screen in a terminal: title, fields, choices, status, and errors.
struct TerminalHead {
  private(set) var lines: [String] = []
  private(set) var caret: TerminalFrame.Caret?
  /// The elements that get the focus by a click on a line.
  private(set) var targets: [Int: TerminalControls.Focus] = [:]
  /// The index of the rule above the list; `nil` if there is no space for it.
  private var ruled: Int?

  /// A line with its rank; lines with higher ranks are omitted first, and lines with rank 0 last.
  private typealias Line = (text: String, rank: Int)

  /// - Parameter most: The maximum number of lines.
  init(_ view: ViewContent, _ controls: TerminalControls, on terminal: Terminal, most: Int) {
    let (width, colors) = (terminal.width ?? 80, terminal.colors)
    var parts: [Line] = [(Self.title(view, on: terminal), 0)]
    var focused: (line: Int, column: Int)?
    var elements: [Int: TerminalControls.Focus] = [:]
    // The text needs the space more than the controls.
    let isCovered = controls.isCovered(in: view)
    for (index, field) in view.fields.enumerated()
    where !isCovered || controls.focus == .field(index) {
      let isFocused = controls.focus == .field(index)
      let (text, column) = Self.field(
        field, caret: isFocused ? controls.caret : nil, on: terminal)
      if let column { focused = (parts.count, column) }
      elements[parts.count] = .field(index)
      parts.append((text, isFocused ? 0 : 1))
      if let problem = field.problem {
        let text = "  \(problem.printable)".fitted(to: width)
        parts.append((text.styled("31", in: colors), 3))
      }
    }
    if !isCovered {
      for (line, first) in Self.choices(view, controls, on: terminal) {
        elements[parts.count] = .choice(first)
        parts.append((line, 1))
      }
    }
    // A blank line in place of an empty status keeps the list's position stable.
    let status = isCovered ? [] : view.status.printable.wrapped(to: width).prefix(2)
    parts += status.enumerated().map { ($1.styled("1", in: colors), $0 == 0 ? 0 : 1) }
    if !view.remarks.isEmpty, !isCovered {
      let text = view.remarks.joined(separator: " · ").printable.fitted(to: width)
      parts.append((text.styled("2", in: colors), 5))
    }
    for alert in view.alerts {
      let retry = alert.canRetry ? " Press r to try again, x to dismiss." : " Press x to dismiss."
      parts += (alert.text + retry).printable.wrapped(to: width).prefix(4).enumerated().map {
        ($1.styled("31", in: colors), $0 == 0 ? 2 : 3)
      }
    }
    parts.append(("", 6))
    let keeps = Self.kept(parts, most: most)
    lines = keeps.map { parts[$0].text }
    ruled = keeps.firstIndex(of: parts.count - 1)
    for (line, index) in keeps.enumerated() { targets[line] = elements[index] }
    if let focused, let row = keeps.firstIndex(of: focused.line) {
      caret = TerminalFrame.Caret(row: row, column: focused.column)
    }
  }

  /// Returns the indices of the kept lines; omits lines with the highest rank first, from the
  /// bottom.
  private static func kept(_ parts: [Line], most: Int) -> [Int] {
    var kept = Array(parts.indices)
    while kept.count > most {
      let rank = kept.map { parts[$0].rank }.max() ?? 0
      kept.remove(at: kept.lastIndex { parts[$0].rank == rank } ?? kept.count - 1)
    }
    return kept
  }

  private static func title(_ view: ViewContent, on terminal: Terminal) -> String {
    let width = terminal.width ?? 80
    let end = view.isBusy ? "loading… " : ""
    let space = width - end.terminalWidth
    let title = " \(view.title.printable)".fitted(to: space).padded(to: space)
    return (title + end).styled("1;7", in: terminal.colors)
  }

  /// Returns a field's label and text, and the caret's column.
  private static func field(
    _ field: FieldContent, caret: Int?, on terminal: Terminal
  ) -> (text: String, caret: Int?) {
    let (width, colors) = (terminal.width ?? 80, terminal.colors)
    let label = "\(field.label.printable): ".fitted(to: width / 2)
    let space = width - label.terminalWidth - 1
    let start = label.styled(caret == nil ? "2" : "1;36", in: colors)
    if field.text.isEmpty {
      let text = field.prompt.printable.fitted(to: space).styled("2", in: colors)
      return (start + text, caret.map { _ in label.terminalWidth })
    }
    guard let caret else { return (start + field.text.printable.fitted(to: space), nil) }
    // If the text before the caret is too long, its beginning is cut off.
    var used = 0
    let kept = String(field.text.prefix(caret)).printable.reversed().prefix { character in
      used += character.terminalWidth
      return used <= space
    }
    let before = String(kept.reversed())
    let text = before + String(field.text.dropFirst(caret).prefix(space)).printable
    return (start + text.fitted(to: space), label.terminalWidth + before.terminalWidth)
  }

  private static func choices(
    _ view: ViewContent, _ controls: TerminalControls, on terminal: Terminal
  ) -> [(line: String, first: Int)] {
    let width = terminal.width ?? 80
    var lines: [(line: String, first: Int)] = []
    var (line, first, used) = ("", 0, 0)
    for (index, choice) in view.choices.enumerated() {
      let isFocused = controls.focus == .choice(index)
      let value = isFocused ? "‹ \(choice.title) ›" : choice.title
      let plain = "\(choice.label): \(value)".printable.fitted(to: width)
      if used > 0, used + 2 + plain.terminalWidth > width {
        lines.append((line, first))
        (line, first, used) = ("", index, 0)
      } else if used > 0 {
        line += "  "
        used += 2
      }
      line += isFocused ? plain.styled("7", in: terminal.colors) : plain
      used += plain.terminalWidth
    }
    return used > 0 ? lines + [(line, first)] : lines
  }

  /// Draws the rule above the body, with the position in the list or the details.
  mutating func rule(
    off view: ViewContent, _ controls: TerminalControls, on terminal: Terminal
  ) {
    guard let ruled else { return }
    let width = terminal.width ?? 80
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
    lines[ruled] = (rule + end).fitted(to: width).styled("2", in: terminal.colors)
  }
}
