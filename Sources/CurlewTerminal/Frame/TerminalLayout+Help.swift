extension TerminalLayout {
  /// The last line: the available keys.
  var help: String {
    var space = width
    var texts: [String] = []
    for (key, title) in controls.keys(in: view).map({ ($0.name.printable, $0.value.printable) }) {
      let width = key.terminalWidth + 1 + title.terminalWidth + (texts.isEmpty ? 0 : 2)
      guard width <= space else { break }
      space -= width
      texts.append(key.styled("1", in: colors) + " " + title.styled("2", in: colors))
    }
    return texts.joined(separator: "  ")
  }
}

extension TerminalControls {
  /// Returns the available keys, the most important first.
  func keys(in view: ViewContent) -> [(name: String, value: String)] {
    let tab = [("Tab", "next")]
    switch focus {
    case .field:
      let submit = view.submit.map { _ in [("Enter", view.list == nil ? "send" : "search")] }
      let down = view.list.map { _ in [("↓", "list")] }
      return (submit ?? []) + (down ?? []) + [("Esc", "leave field")] + tab + [("^C", "quit")]
    case .choice: return [("←→", "change"), ("q", "quit")] + tab + [("r", "reload")]
    case .list, .text: break
    }
    let isText = focus == .text
    let row = selection(in: view)
    let opens = !isText && row.map { view.list?.open($0) != nil } == true
    return (isText || row != nil ? [("↑↓", isText ? "scroll" : "move")] : [])
      + (opens ? [("Enter", "open")] : []) + [("Esc", "back"), ("q", "quit")]
      + (view.fields.isEmpty ? [] : [("/", "search")]) + [("r", "reload")]
      + view.shortcuts(at: row).map { ("\($0.key)", $0.title) }
      + (view.choices.isEmpty && !isWide ? [] : tab)
  }
}
