#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The issues of a repository.
  final class IssuesViewController: TableViewController<IssueTracker, Int> {
    override var text: String? { model.search.text }

    override func type(_ text: String) { model.send(.search(.term(text))) }

    override func submit() { model.send(.search(.submit())) }

    override func refresh() -> PendingWork? { model.send(.search(.list(.refresh))) }

    override func retry() { model.send(.search(.list(.retry))) }

    override func viewDidLoad() {
      super.viewDidLoad()
      title = "Issues"
      table.onAppear = { [weak self] in self?.model.send(.search(.list(.appeared($0)))) }
    }

    override func update() {
      super.update()
      table.show(
        model.issues.map { issue in
          let row = IssueRow(issue, now: .now)
          return (issue.id, row.title, "\(row.number) by \(row.author), \(row.age)")
        })
      show(model.search.placeholder, initial: IssueTracker.hint)
      show(model.search.list.footer)
    }
  }
#endif
