import Application
import CurlewScreens
import CurlewTerminal
import Domain

extension WatchPage {
  func terminalContent(
    of state: Watch.State, _ view: WatchView
  ) -> TerminalContent<Watch.Event> {
    let (watch, now) = (state, now())
    let new = watch.isLoaded ? Set(watch.issues.prefix(watch.opened).map(\.number)) : []
    var content = TerminalContent<Watch.Event>()
    content.fields = [field("term", "Repository", view.text, prompt: "owner/name")]
    content.submit = .submit
    if view.isIdle {
      content.list = list(view.examples, in: state)
      content.note = view.hint
    } else if view.hasRows {
      content.list = List(
        watch.issues, id: \.key,
        columns: [.word("") { new.contains($0.number) ? "•" : "" }] + Issue.columns(now: now),
        isOld: view.isOld
      ) { .go(to: IssuesRoute($0.repository, picked: $0.number)) }
    }
    if let control = view.control {
      content.shortcuts = [
        shortcut("p", control.title.lowercased(), control.action)
      ].compactMap(\.self)
    }
    return content
  }
}
