import Application
import CurlewLive
import CurlewScreens
import Domain

/// The words and switches of the repositories' template.
struct RepositoriesView {
  struct Row {
    /// What the list tells it apart by.
    let key: String
    let href: String
    let owner: String
    let name: String
    let fullName: String
    let summary: String
    let stars: String?
    let forks: String?
    let language: LanguageView?
    let avatar: String?
    /// Whether the next page is wanted when it comes into view.
    let isNearEnd: Bool
  }

  struct Example {
    let language: LanguageView
    let query: String
  }

  let text: String
  let term: String
  let status: String
  let isIdle: Bool
  let isLoading: Bool
  let retry: String
  let activity: ActivityView
  let list: ListView
  let rows: [Row]
  let examples = LanguageView.examples.map {
    Example(language: $0, query: RepositoriesPage.query($0.name).text)
  }

  init(_ tracked: Tracked<Repositories>.State, path: String) {
    let (search, feed) = (tracked.content, tracked.content.list)
    let address = { path + RepositoriesPage.query(search.query, page: $0).text }
    text = search.text
    term = search.term ?? ""
    status = Self.status(of: search)
    isIdle = feed.status == .idle
    isLoading = feed.isLoading
    retry = address(feed.start?.number)
    activity = ActivityView(
      tracked.activity, failure: feed.failure, isEmpty: feed.items.isEmpty, retry: retry)
    list = ListView(feed, isBusy: tracked.activity.isVisible, address: address)
    rows = feed.items.enumerated().map { place, repository in
      Row(repository, isNearEnd: feed.isNearEnd(place))
    }
  }

  /// What a screen reader says when the state changes.
  private static func status(of search: Repositories.State) -> String {
    let (list, term) = (search.list, search.term ?? "")
    let count = list.items.count
    switch list.status {
    case .idle: return search.query.isEmpty ? "" : "Waiting for you to finish…"
    case .loading(.next): return "Loading more than \(count.grouped)…"
    case .loading: return "Looking for repositories in \(term)…"
    case .empty where list.start != nil: return "The list ends before this page."
    case .empty: return "Nothing found for \(term)."
    case .failed(_, .next): return "\(count.grouped) are shown; the next could not be loaded."
    case .failed: return "The repositories could not be loaded."
    case .content, .ended:
      guard let total = list.total else { return "\(count.grouped) repositories in \(term)" }
      return "\(total.grouped) \(total == 1 ? "repository" : "repositories") in \(term)"
        + (count < total ? ", \(count.grouped) shown" : "")
    }
  }
}

extension RepositoriesView.Row {
  fileprivate init(_ repository: Repository, isNearEnd: Bool) {
    let row = RepositoryRow(repository)
    self.init(
      key: repository.id, href: Place.repository(repository.name).address,
      owner: repository.name.owner, name: repository.name.name, fullName: row.name,
      summary: row.summary, stars: row.stars, forks: row.forks,
      language: LanguageView(row.language), avatar: row.avatar?.webAddress, isNearEnd: isNearEnd)
  }
}
