package import CurlewScreens

extension SearchPage {
  package func terminalContent(
    of state: Search<Item>.State, _ view: SearchView
  ) -> TerminalContent {
    var content = TerminalContent()
    content.fields = [TerminalField("term", label: label, text: view.text)]
    content.submit = "submit"
    if view.isIdle {
      content.list = TerminalList(view.examples, of: path)
      content.note = lead
    } else {
      var list = TerminalList(
        state.items, key: row, [.text("", least: 8, row)]
      ) { item in address.map { .command(.open($0(item))) } }
      list.isOld = view.isOld
      content.list = list
    }
    return content
  }
}
