/// The last line of a screen in a terminal: the available keys.
enum TerminalHelp {
  static func line(
    for view: ViewContent, _ controls: TerminalControls, on terminal: Terminal
  ) -> String {
    var space = terminal.width ?? 80
    var texts: [String] = []
    for (key, title) in keys(for: view, controls).map({ ($0.printable, $1.printable) }) {
      let width = key.terminalWidth + 1 + title.terminalWidth + (texts.isEmpty ? 0 : 2)
      guard width <= space else { break }
      space -= width
      texts.append(
        key.styled("1", in: terminal.colors) + " " + title.styled("2", in: terminal.colors))
    }
    return texts.joined(separator: "  ")
  }

  /// Returns the keys, the most important first.
  static func keys(
    for view: ViewContent, _ controls: TerminalControls
  ) -> [(name: String, value: String)] {
    let tab = [("Tab", "next")]
    switch controls.focus {
    case .field:
      let submit = view.submit.map { _ in [("Enter", view.list == nil ? "send" : "search")] }
      let down = view.list.map { _ in [("↓", "list")] }
      return (submit ?? []) + (down ?? []) + [("Esc", "leave field")] + tab + [("^C", "quit")]
    case .choice: return [("←→", "change"), ("q", "quit")] + tab + [("r", "reload")]
    case .list, .text: break
    }
    let isText = controls.focus == .text
    let row = controls.selection(in: view)
    let opens = !isText && row.map { view.list?.open($0) != nil } == true
    let letters = view.shortcuts(at: row).map { ("\($0.key)", $0.title) }
    return (isText || row != nil ? [("↑↓", isText ? "scroll" : "move")] : [])
      + (opens ? [("Enter", "open")] : []) + [("Esc", "back"), ("q", "quit")]
      + (view.fields.isEmpty ? [] : [("/", "search")]) + [("r", "reload")] + letters
      + (view.choices.isEmpty && !controls.isWide ? [] : tab)
  }
}
