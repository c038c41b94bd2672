package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

extension ScreenEntry {
  static let repositories = ScreenEntry(
    name: "repositories",
    link: Link(
      title: "Repositories",
      icon:
        "M6 3h13v14H7.500A1.5 1.5 0 0 0 6 18.500V3zm0 15.500A2.5 2.5 0 0 0 8.5 21H19v-4M10 7h5",
      text: "The most starred repositories of a language: an endless list, and a page for each."),
    actions: "term LANGUAGE, submit, more, refresh, retry, pick OWNER/NAME",
    command: RepositoriesCommand.self,
    example: ("repositories swift --all", "a language's repositories, all pages"),
    page: {
      RepositoriesPage(Repositories(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// The repositories of a language in a browser.
package struct RepositoriesPage: DatedPage {
  package let screen: Tracked<Repositories>
  let now: @Sendable () -> Date

  package init(screen: Tracked<Repositories>, now: @escaping @Sendable () -> Date) {
    (self.screen, self.now) = (screen, now)
  }

  static let path = "/repositories"
  package var path: String { Self.path }

  package func innerEvents(
    for query: LiveQuery, in state: Repositories.State
  ) -> [Repositories.Event] {
    state.events(for: query["language"], in: query).map { .search($0) }
  }

  package func innerEvent(for action: LiveAction) -> Repositories.Event? {
    switch action.name {
    case "pick": RepositoryName(action.value).map { .pick($0) }
    default: PagedSearch<Repository>.Event(action).map { .search($0) }
    }
  }

  package func address(of state: Tracked<Repositories>.State) -> LiveAddress {
    let search = state.content.displayed
    let list = search.shownList
    return LiveAddress(
      Self.query(search.query, page: list?.start?.number), position: LiveQuery(pagesOf: list),
      isHistoryEntry: search.isSettled)
  }

  static func query(_ language: String, page: Int? = nil) -> LiveQuery {
    ["language": language.isEmpty ? nil : language, "page": page.map { "\($0)" }]
  }

  package func title(of state: Tracked<Repositories>.State) -> String {
    let text = state.content.displayed.query
    return text.isEmpty ? "Repositories" : "\(text) · Repositories"
  }

  package func view(of tracked: Tracked<Repositories>.State) -> PageView {
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
