package import CurlewScreens
import CurlewTerminal

extension SearchPage {
  package func terminalContent(
    of state: Search<Item>.State, _ view: SearchView
  ) -> TerminalContent<Search<Item>.Event> {
    var content = TerminalContent<Search<Item>.Event>()
    content.fields = [field("term", label, view.text)]
    content.submit = .submit
    if view.isIdle {
      content.list = list(view.examples, in: state)
      content.note = lead
    } else {
      content.list = List(state.items, id: row, columns: [.text("", row)], isOld: view.isOld) {
        [address] item in address.map { .go(to: PageAddress($0(item))) }
      }
    }
    return content
  }
}
