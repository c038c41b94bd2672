import Application
import CurlewScreens
import Domain

extension WatchPage {
  func terminalContent(
    of state: Watch.State, _ view: WatchView
  ) -> TerminalContent {
    let (watch, now) = (state, now())
    let new = watch.isLoaded ? Set(watch.issues.prefix(watch.opened).map(\.number)) : []
    var content = TerminalContent()
    content.fields = [.repository(view.text)]
    content.submit = "submit"
    if view.isIdle {
      content.list = TerminalList(view.examples, of: path)
      content.note = view.hint
    } else if view.hasRows {
      var list = TerminalList(
        watch.issues, key: \.key,
        [.mark { new.contains($0.number) ? "•" : " " }] + Issue.columns(now: now)
      ) { .command(.open(IssuesRoute($0.repository, picked: $0.number).address)) }
      list.isOld = view.isOld
      content.list = list
    }
    if let control = view.control {
      content.shortcuts = [
        TerminalShortcut("p", control.title.lowercased(), .act(control.action))
      ]
    }
    return content
  }
}
