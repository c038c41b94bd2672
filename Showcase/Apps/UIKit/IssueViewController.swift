#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// An issue with its comments; a user who has signed in can add one, and change the texts.
  final class IssueViewController: DetailController<IssueTracker> {
    convenience init(_ issue: Issue, _ sources: AppSources) {
      self.init(
        "#\(issue.number)", sources.model(IssueTracker(TrackIssues(host: sources.host))), sources)
      model.send(.search(.term("\(issue.repository)")))
      model.send(.search(.submit()))
      model.send(.pick(issue.number))
    }

    override func refresh() -> PendingWork? { model.send(.search(.list(.refresh))) }

    override func update() {
      navigationItem.showPending(model.pending) { [model] in model?.send(.pending($0)) }
      guard let issue = model.picked else { return }
      let comments = (model.comments ?? []).map { comment in
        [comment.author, comment.text, model.pending.text(of: comment)].compactMap(\.self)
          .joined(separator: "\n")
      }
      show(nil, [issue.title, issue.body, model.pending.text(of: issue.reference)] + comments)
      guard model.canComment else { return }
      let comment = UIAction(title: "Comment") { [weak self] _ in
        self?.ask("Your comment", [""]) { .send($0[0]) }
      }
      let edit = UIAction(title: "Edit") { [weak self] _ in
        self?.model.send(.discussion(.edit))
        guard let edit = self?.model.discussion.edit else { return }
        self?.ask("Edit", [edit.texts.title, edit.texts.body]) { texts in
          var edit = edit
          (edit.texts.title, edit.texts.body) = (texts[0], texts[1])
          return .save(edit)
        }
      }
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        title: "Change",
        menu: UIMenu(children: [comment] + (model.discussion.canEdit ? [edit] : [])))
    }

    /// Asks for texts.
    private func ask(
      _ title: String, _ texts: [String], send: @escaping ([String]) -> Discussion.Event
    ) {
      let alert = UIAlertController(title: title, message: nil, preferredStyle: .alert)
      for text in texts { alert.addTextField { $0.text = text } }
      alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
      alert.addAction(
        UIAlertAction(title: "Save", style: .default) { [model, weak alert] _ in
          let texts = alert?.textFields?.map { $0.text ?? "" } ?? []
          model?.send(.discussion(send(texts)))
        })
      present(alert, animated: true)
    }
  }
#endif
