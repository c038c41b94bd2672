import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the repositories' template.
struct RepositoriesView: PageView {
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
  }

  struct Example {
    let language: LanguageView
    let query: String
  }

  static let template = Template(PackageResources.repositories_mustache)

  let text: String
  let term: String
  let status: String
  let activity: ActivityView
  let list: ListView
  let rows: [Row]
  let examples = LanguageView.examples.map {
    Example(language: $0, query: RepositoriesPage.query($0.name).text)
  }

  var leftOut: LeftOut? { list.leftOut }
  var age: AgeView? { list.age }

  init(_ tracked: Tracked<Repositories>.State, now: Date) {
    let (search, feed) = (tracked.content.shown, tracked.content.shown.list)
    text = search.text
    let term = search.term ?? ""
    self.term = term
    status = feed.status(
      idle: search.query.isEmpty ? "" : "Waiting for you to finish…",
      loading: "Looking for repositories in \(term)…", empty: "Nothing found for \(term).",
      failed: "The repositories could not be loaded."
    ) { "\($0.grouped) \($0 == 1 ? "repository" : "repositories") in \(term)" }
    list = ListView(
      feed, isBusy: tracked.activity.isVisible,
      age: AgeView(asOf: feed.asOf, isOffline: tracked.content.isOffline, now: now)
    ) { page in
      RepositoriesPage.path + RepositoriesPage.query(term, page: page).text
    }
    activity = ActivityView(tracked.activity, of: feed, retry: list.retry)
    rows = feed.items.map { Row($0) }
  }
}

extension RepositoriesView.Row {
  fileprivate init(_ repository: Repository) {
    let row = RepositoryRow(repository)
    self.init(
      key: repository.id, href: RepositoryRoute(repository.name).address,
      owner: repository.name.owner, name: repository.name.name, fullName: row.name,
      summary: row.summary, stars: row.stars, forks: row.forks,
      language: LanguageView(row.language), avatar: row.avatar?.imagePath)
  }
}
