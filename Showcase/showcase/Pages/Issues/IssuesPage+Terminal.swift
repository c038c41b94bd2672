import Application
import CurlewScreens
import CurlewTerminal
import Domain
import Foundation

extension IssuesPage {
  func terminalContent(
    of state: IssueTracker.State, _ view: IssuesView
  ) -> TerminalContent<IssueTracker.Event> {
    let (state, now) = (state, now())
    var content = TerminalContent<IssueTracker.Event>()
    content.fields = [field("term", "Repository", view.text, prompt: "owner/name")]
    content.submit = .search(.submit())
    content.list = list(
      state.issues, id: \.key,
      [.word("") { state.isRead($0) ? "" : "•" }] + Issue.columns(now: now), in: view.list
    ) { .send(.pick($0.number, of: $0.repository)) }
    if view.list.isIdle {
      content.list = list(view.examples, in: state)
      content.note = view.invitation
    } else if view.isWanted, !view.isPicked {
      content.note = view.unpicked
    }
    if let picked = PickedIssueView.Picked(state) {
      content.text = Text(picked, now: now)
      content.close = .close
      if let change = picked.change {
        content.shortcuts = [
          shortcut("c", change.title, change.action, change.key)
        ].compactMap(\.self)
      }
      if let discussion = picked.discussion {
        content.fields = [
          Field("Comment", text: discussion.text) { .discussion(.text($0)) }
        ]
        content.submit = .discussion(.send())
        if let edit = discussion.edit {
          content.fields = [
            Field("Title", text: edit.texts.title) { .discussion(.title($0)) },
            Field("Description", text: edit.texts.body) { .discussion(.body($0)) },
          ]
          (content.submit, content.close) = (.discussion(.save()), .discussion(.cancel))
        } else if picked.canEdit {
          content.shortcuts.append(Shortcut("e", "edit", .send(.discussion(.edit))))
        }
      }
    }
    let route = NewIssueRoute(state.search.list.items.first?.repository)
    content.shortcuts.append(Shortcut("n", "new issue", .go(to: route)))
    content.shortcuts += shortcuts(for: state.pending)
    return content
  }
}

extension Text {
  /// Creates the details of an issue.
  fileprivate init(_ picked: PickedIssueView.Picked, now: Date) {
    let (issue, row) = (picked.issue, IssueRow(picked.issue, now: now))
    self.init(
      ([issue.body.isEmpty ? "No description." : issue.body]
        + (picked.discussion.map { DiscussionView($0, now: now).lines } ?? []))
        .joined(separator: "\n\n"), title: "\(row.number) \(row.title)",
      facts: [
        ("Author", row.author), ("Opened", row.age), ("Comments", row.comments ?? ""),
        ("Labels", row.labels.map(\.name).joined(separator: ", ")),
        ("State", picked.isOpen ? "Open" : "Closed"), ("Link", issue.link?.webAddress ?? ""),
      ])
  }
}
