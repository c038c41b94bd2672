/// The keys of a page in a terminal: the important ones in the last line, all after `?`.
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
    guard !controls.showsKeys else { return [("any key", "back"), ("^C", "quit")] }
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
    let letters = letters(for: view, controls)
    return (isDetail || row != nil ? [("↑↓", isDetail ? "scroll" : "move")] : [])
      + (opens ? [("Enter", "open")] : []) + [("Esc", "back"), ("q", "quit"), ("?", "keys")]
      + (content.fields.isEmpty ? [] : [("/", "search")]) + [("r", "reload")] + letters
      + (content.choices.isEmpty && !controls.isWide ? [] : tab)
  }

  /// Returns the letters that do something on the page or to the selected row.
  private static func letters(
    for view: TerminalView, _ controls: TerminalControls
  ) -> [(key: String, title: String)] {
    let ofRow = controls.selection(in: view).flatMap { view.content.list?.shortcuts($0) } ?? []
    return (view.content.shortcuts + ofRow).map { ("\($0.key)", $0.title) }
  }

  /// Returns all keys, one per line.
  static func lines(
    for view: TerminalView, _ controls: TerminalControls, on terminal: Terminal
  ) -> [String] {
    let keys =
      letters(for: view, controls) + [
        ("↑ ↓  j k", "move by a row or a line"), ("PgUp PgDn Space", "move by a window"),
        ("Home End  g G", "move to the beginning or the end"),
        ("Enter", "open, search or send"), ("Esc", "leave a field, close, clear, or go back"),
        ("Tab  Shift-Tab", "the next or the previous part"), ("← →", "change a choice"),
        ("/", "the search field"), ("r", "reload, or try again"), ("x", "dismiss a message"),
        ("^L", "redraw"), ("^Z", "suspend"), ("q  ^C", "quit"),
      ]
    return keys.map { key, title in
      let text = "\(key.padded(to: 17))\(title)".fitted(to: terminal.width ?? 80)
      return String(text.prefix(17)).styled("1", in: terminal.colors) + text.dropFirst(17)
    }
  }
}
