/// The upper lines of a page in a terminal: title, fields, choices, status, and errors.
struct TerminalHead {
  private(set) var lines: [String] = []
  private(set) var caret: TerminalFrame.Caret?
  /// The index of the rule above the list; `nil` if there is no space for it.
  private var ruled: Int?

  /// A line with its rank; lines with higher ranks are omitted first, and lines with rank 0 last.
  private typealias Line = (text: String, rank: Int)

  /// - Parameter most: The maximum number of lines.
  init(_ view: TerminalView, _ controls: TerminalControls, on terminal: Terminal, most: Int) {
    let (width, colors) = (terminal.width ?? 80, terminal.colors)
    var parts: [Line] = [(Self.title(view, on: terminal), 0)]
    var focused: (line: Int, column: Int)?
    // The details need the space more than the controls.
    let isCovered = controls.isCovered(in: view)
    for (index, field) in view.content.fields.enumerated()
    where !isCovered || controls.focus == .field(index) {
      let isFocused = controls.focus == .field(index)
      let (text, column) = Self.field(
        field, caret: isFocused ? controls.caret : nil, on: terminal)
      if let column { focused = (parts.count, column) }
      parts.append((text, isFocused ? 0 : 1))
      if let problem = field.problem {
        let text = "  \(problem)".fitted(to: width)
        parts.append((text.styled("31", in: colors), 3))
      }
    }
    if !isCovered {
      parts += Self.choices(view, controls, on: terminal).map { ($0, 1) }
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

  private static func title(_ view: TerminalView, on terminal: Terminal) -> String {
    let width = terminal.width ?? 80
    let end = view.isBusy ? "loading… " : ""
    let space = width - end.terminalWidth
    let title = " \(view.title.printable)".fitted(to: space).padded(to: space)
    return (title + end).styled("1;7", in: terminal.colors)
  }

  /// Returns a field's label and text, and the caret's column.
  private static func field(
    _ field: TerminalField, caret: Int?, on terminal: Terminal
  ) -> (text: String, caret: Int?) {
    let (width, colors) = (terminal.width ?? 80, terminal.colors)
    let label = "\(field.label): ".fitted(to: width / 2)
    let space = width - label.terminalWidth - 1
    let start = label.styled(caret == nil ? "2" : "1;36", in: colors)
    if field.text.isEmpty {
      let text = field.placeholder.fitted(to: space).styled("2", in: colors)
      return (start + text, caret.map { _ in label.terminalWidth })
    }
    guard let caret else { return (start + field.text.printable.fitted(to: space), nil) }
    // If the text before the caret is too long, its beginning is cut off.
    var before = String(field.text.prefix(caret)).printable[...]
    while String(before).terminalWidth > space { before = before.dropFirst() }
    let text = String(before) + String(field.text.dropFirst(caret)).printable
    return (start + text.fitted(to: space), label.terminalWidth + String(before).terminalWidth)
  }

  private static func choices(
    _ view: TerminalView, _ controls: TerminalControls, on terminal: Terminal
  ) -> [String] {
    let width = terminal.width ?? 80
    var (lines, line, used): ([String], String, Int) = ([], "", 0)
    for (index, choice) in view.content.choices.enumerated() {
      let chosen = choice.choices.first(where: \.isChosen)?.name ?? ""
      let isFocused = controls.focus == .choice(index)
      let value = isFocused ? "‹ \(chosen) ›" : chosen
      let plain = "\(choice.label): \(value)".fitted(to: width)
      if used > 0, used + 2 + plain.terminalWidth > width {
        lines.append(line)
        (line, used) = ("", 0)
      } else if used > 0 {
        line += "  "
        used += 2
      }
      line += isFocused ? plain.styled("7", in: terminal.colors) : plain
      used += plain.terminalWidth
    }
    return used > 0 ? lines + [line] : lines
  }

  /// Draws the rule above the body, with the position in the list or the details.
  mutating func rule(
    off view: TerminalView, _ controls: TerminalControls, on terminal: Terminal
  ) {
    guard let ruled else { return }
    let width = terminal.width ?? 80
    var end = ""
    if controls.focus == .detail {
      let shown = min(controls.detailTotal, controls.detailOffset + controls.detailCount)
      if controls.detailTotal > controls.detailCount {
        end = " line \(shown.grouped) of \(controls.detailTotal.grouped) ─"
      }
    } else if let row = controls.selection(in: view), let count = view.content.list?.keys.count {
      end = " \((row + 1).grouped) of \(count.grouped) ─"
    }
    let rule = String(repeating: "─", count: max(0, width - end.terminalWidth))
    lines[ruled] = (rule + end).fitted(to: width).styled("2", in: terminal.colors)
  }
}
