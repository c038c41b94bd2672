#if canImport(SwiftUI)
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  import SwiftUI

  /// The selected issue with its comments; a user who has signed in can add one, and change the texts.
  struct IssueView: View {
    let model: ScreenModel<IssueTracker>

    var body: some View {
      NavigationStack {
        List {
          PendingSection(model.pending) { model.send(.pending($0)) }
          if model.discussion.edit != nil {
            TextField("Title", text: model.binding(\.discussion.title) { .discussion(.title($0)) })
            TextField(
              "Description", text: model.binding(\.discussion.body) { .discussion(.body($0)) },
              axis: .vertical)
            Button("Save") { model.send(.discussion(.save())) }
            Button("Cancel") { model.send(.discussion(.cancel)) }
          } else if let issue = model.picked {
            Text(issue.title).font(.title2)
            Text(issue.body)
            if let state = model.pending.text(of: issue.reference) {
              Text(state).foregroundStyle(.secondary)
            }
            if model.discussion.canEdit {
              Button("Edit") { model.send(.discussion(.edit)) }
            }
          }
          ForEach(model.comments ?? []) { comment in
            Text(comment.author).font(.headline)
            Text(comment.text)
            if let state = model.pending.text(of: comment) {
              Text(state).foregroundStyle(.secondary)
            }
          }
          if model.canComment {
            TextField(
              "Your comment", text: model.binding(\.discussion.text) { .discussion(.text($0)) },
              axis: .vertical)
            Button("Comment") { model.send(.discussion(.send())) }
          }
        }
        .navigationTitle(model.picked.map { "#\($0.number)" } ?? "Issue")
        .toolbar { Button("Close") { model.send(.close) } }
      }
    }
  }
#endif
