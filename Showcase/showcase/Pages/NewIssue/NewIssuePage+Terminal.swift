import Application
import CurlewScreens
import Domain

extension NewIssuePage {
  func terminalContent(of state: NewIssue.State, _ view: NewIssueView) -> TerminalContent {
    var content = TerminalContent()
    guard view.done == nil else { return content }
    content.fields = view.fields.map { field in
      TerminalField(
        field.field.rawValue, label: field.label, text: field.text, placeholder: field.hint,
        problem: field.problem)
    }
    content.submit = "create"
    content.note = view.activity.alerts.first?.text
    return content
  }
}
