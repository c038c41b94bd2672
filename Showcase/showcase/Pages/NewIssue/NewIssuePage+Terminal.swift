import Application
import CurlewLive
import CurlewScreens
import CurlewTerminal
import Domain

extension NewIssuePage {
  func terminalContent(
    of state: NewIssue.State, _ view: NewIssueView
  ) -> TerminalContent<NewIssue.Event> {
    var content = TerminalContent<NewIssue.Event>()
    guard view.done == nil else { return content }
    content.fields = view.fields.map { field in
      Field(
        field.label, text: field.text, prompt: field.hint, problem: field.problem,
        limit: field.field.maximumTypedLength, left: .endedEditing(field.field)
      ) { event(for: LiveAction(name: field.field.rawValue, value: $0)) }
    }
    content.submit = .submit
    content.note = view.activity.alerts.first?.text
    return content
  }
}
