import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension Template {
  fileprivate static let repositories = Template(PackageResources.repositories_mustache)
}

extension RepositoriesPage {
  func view(of tracked: Tracked<Repositories>.State) -> PageView {
    let (search, feed) = (tracked.content.displayed, tracked.content.displayed.list)
    let term = search.term ?? ""
    let status = feed.status(
      idle: search.query.isEmpty ? "" : "Waiting for you to finish…",
      loading: "Looking for repositories in \(term)…", empty: "Nothing found for \(term).",
      failed: "The repositories could not be loaded."
    ) { "\($0.grouped) \($0 == 1 ? "repository" : "repositories") in \(term)" }
    let examples: [Values] = LanguageView.examples.map {
      ["language": $0, "query": Self.query($0.name).text]
    }
    return view(
      of: tracked, .repositories, status: status, list: feed, now: now(),
      [
        "text": search.text, "term": term, "examples": examples,
        "rows": feed.items.map { Values($0) },
      ]
    ) { page in
      Self.path + Self.query(term, page: page).text
    }
  }
}

extension Values {
  fileprivate init(_ repository: Repository) {
    let row = RepositoryRow(repository)
    self = [
      "key": repository.id, "href": RepositoryRoute(repository.name).address,
      "owner": repository.name.owner, "name": repository.name.name, "fullName": row.name,
      "summary": row.summary, "stars": row.stars, "forks": row.forks,
      "language": LanguageView(row.language), "avatar": row.avatar?.imagePath,
    ]
  }
}
