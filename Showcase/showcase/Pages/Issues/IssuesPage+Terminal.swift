import Application
import CurlewScreens
import Domain
import Foundation

extension IssuesPage {
  func terminalContent(
    of state: IssueTracker.State, _ view: IssuesView
  ) -> TerminalContent {
    let (state, now) = (state, now())
    var content = TerminalContent()
    content.fields = [.repository(view.text)]
    content.submit = "submit"
    content.list = TerminalList(
      state.issues, key: \.key,
      [.mark { state.isRead($0) ? " " : "•" }] + Issue.columns(now: now), in: view.list
    ) { .command(.act("pick", $0.key)) }
    if view.list.isIdle {
      content.list = TerminalList(view.examples, of: path)
      content.note = view.invitation
    } else if view.isWanted, !view.isPicked {
      content.note = view.unpicked
    }
    if let picked = PickedIssueView.Picked(state) {
      content.detail = TerminalDetail(picked, now: now)
      content.close = "close"
      if let change = picked.change {
        content.shortcuts = [TerminalShortcut("c", change.title, .act(change.action, change.key))]
      }
      if let discussion = picked.discussion {
        content.fields = [
          TerminalField("comment-text", label: "Comment", text: discussion.text)
        ]
        content.submit = "comment"
        if let edit = discussion.edit {
          content.fields = [
            TerminalField("issue-title", label: "Title", text: edit.texts.title),
            TerminalField("issue-body", label: "Description", text: edit.texts.body),
          ]
          (content.submit, content.close) = ("save-issue", "cancel-edit")
        } else if picked.canEdit {
          content.shortcuts.append(TerminalShortcut("e", "edit", .act("edit-issue")))
        }
      }
    }
    content.shortcuts.append(TerminalShortcut("n", "new issue", .open(view.newIssue)))
    content.shortcuts += .pending(state.pending)
    return content
  }
}

extension TerminalDetail {
  /// Creates the details of an issue.
  fileprivate init(_ picked: PickedIssueView.Picked, now: Date) {
    let (issue, row) = (picked.issue, IssueRow(picked.issue, now: now))
    self.init(
      title: "\(row.number) \(row.title)",
      facts: [
        ("Author", row.author), ("Opened", row.age), ("Comments", row.comments ?? ""),
        ("Labels", row.labels.map(\.name).joined(separator: ", ")),
        ("State", picked.isOpen ? "Open" : "Closed"), ("Link", issue.link?.webAddress ?? ""),
      ],
      text: ([issue.body.isEmpty ? "No description." : issue.body]
        + (picked.discussion.map { DiscussionView($0, now: now).lines } ?? []))
        .joined(separator: "\n\n"))
  }
}

extension TerminalField {
  /// The field for a repository's name.
  static func repository(_ text: String) -> TerminalField {
    TerminalField("term", label: "Repository", text: text, placeholder: "owner/name")
  }
}

extension Column {
  /// Creates a column of one character.
  static func mark(_ text: @escaping (Item) -> String) -> Self { word("", text) }
}
