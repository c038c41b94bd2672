#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The issues of a repository.
  final class IssuesViewController: MediaListController<IssueTracker, Issue> {
    /// Opens an issue.
    private var open: (Issue) -> Void = { _ in }

    convenience init(_ sources: AppSources) {
      self.init(
        "Issues", sources.model(IssueTracker(TrackIssues(host: sources.host))), sources)
      searchBar.placeholder = "owner/name"
      open = { [weak self] issue in
        self?.navigationController?.pushViewController(
          IssueViewController(issue, sources), animated: true)
      }
    }

    override func select(_ issue: Issue) { open(issue) }

    override func makePresenter() -> Presenter { Presenter(\.search) { .search($0) } }

    override func configure(_ cell: UICollectionViewListCell, for issue: Issue) {
      let texts = IssueRow(issue, now: .now)
      cell.contentConfiguration = row(
        texts.title, issue.avatar, "\(texts.number) by \(texts.author), \(texts.age)")
    }

    override func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      switch placeholder {
      case .initial: super.makePlaceholder(.hint(IssueTracker.hint))
      case .empty(let name): super.makePlaceholder(.hint("No open issues in \(name)"))
      default: super.makePlaceholder(placeholder)
      }
    }
  }
#endif
