/// The last line of a page in a terminal: the available keys.
enum TerminalHelp {
  static func line(
    for view: TerminalView, _ controls: TerminalControls, on terminal: Terminal
  ) -> String {
    var space = terminal.width ?? 80
    var texts: [String] = []
    for (key, title) in keys(for: view, controls) {
      let width = key.terminalWidth + 1 + title.terminalWidth + (texts.isEmpty ? 0 : 2)
      guard width <= space else { break }
      space -= width
      texts.append(
        key.styled("1", in: terminal.colors) + " " + title.styled("2", in: terminal.colors))
    }
    return texts.joined(separator: "  ")
  }

  /// Returns the keys, the most important first.
  private static func keys(
    for view: TerminalView, _ controls: TerminalControls
  ) -> [(key: String, title: String)] {
    let content = view.content
    let tab = [("Tab", "next")]
    switch controls.focus {
    case .field:
      let submit = content.submit.map { _ in [("Enter", content.list == nil ? "send" : "search")] }
      let down = content.list.map { _ in [("↓", "list")] }
      return (submit ?? []) + (down ?? []) + [("Esc", "leave field")] + tab + [("^C", "quit")]
    case .choice: return [("←→", "change"), ("q", "quit")] + tab + [("r", "reload")]
    case .list, .detail: break
    }
    let isDetail = controls.focus == .detail
    let row = controls.selection(in: view)
    let opens = !isDetail && row.map { content.list?.open($0) != nil } == true
    let ofRow = row.flatMap { content.list?.shortcuts($0) } ?? []
    let letters = (content.shortcuts + ofRow).map { ("\($0.key)", $0.title) }
    return (isDetail || row != nil ? [("↑↓", isDetail ? "scroll" : "move")] : [])
      + (opens ? [("Enter", "open")] : []) + [("Esc", "back"), ("q", "quit")]
      + (content.fields.isEmpty ? [] : [("/", "search")]) + [("r", "reload")] + letters
      + (content.choices.isEmpty && !controls.isWide ? [] : tab)
  }
}
