#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The issues of a repository.
  final class IssuesViewController: MediaListController<IssueTracker, Issue> {
    convenience init(_ sources: AppSources) {
      self.init(
        "Issues", sources.model(IssueTracker(TrackIssues(host: sources.host))), sources)
      searchBar.placeholder = "owner/name"
    }

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
