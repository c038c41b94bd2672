import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let repositories = ScreenEntry(
    "repositories",
    link: Link(
      "Repositories",
      icon:
        "M6 3h13v14H7.500A1.500 1.500 0 0 0 6 18.500V3zm0 15.500A2.500 2.500 0 0 0 8.500 21H19v-4M10 7h5"
    ),
    actions: "term LANGUAGE, submit, more, refresh, retry, pick OWNER/NAME",
    command: RepositoriesCommand.self,
    example: ("repositories swift --all", "a language's repositories, all pages"),
    page: {
      RepositoriesPage(Repositories(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// The repositories of a language in a browser.
struct RepositoriesPage: ShowcasePage {
  let screen: Tracked<Repositories>
  let now: @Sendable () -> Date

  static let path = "/repositories"
  var path: String { Self.path }

  init(
    _ screen: Repositories, isOffline: @escaping OfflineFlags = noOfflineFlags,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.screen = ActivityTracking(screen, isOffline: isOffline)
    self.now = now
  }

  func innerEvents(
    for query: LiveQuery, in state: Repositories.State
  ) -> [Repositories.Event] {
    let text = (query["language"] ?? "").asTyped
    let page = query.page
    let list = state.list
    let isShown = state.term == text && list.start == page && list.failure == nil
    return [.search(.term(text))] + (isShown ? [] : [.search(.submit(from: page))])
  }

  func innerEvent(for action: LiveAction) -> Repositories.Event? {
    switch action.name {
    case "term": .search(.term(action.value.asTyped))
    case "submit": .search(.submit())
    case "pick": RepositoryName(action.value).map { .pick($0) }
    default: Feed<Repository>.Event(action).map { .search(.list($0)) }
    }
  }

  func address(of state: Tracked<Repositories>.State) -> LiveAddress {
    let search = state.content.shown
    // While another word is typed, the page is one of the last word's list.
    let page = search.query == search.term ? search.list.start?.number : nil
    return LiveAddress(
      Self.query(search.query, page: page),
      isHistoryEntry: search.query.isEmpty || search.query == search.term)
  }

  static func query(_ language: String, page: Int? = nil) -> LiveQuery {
    ["language": language.isEmpty ? nil : language, "page": page.map { "\($0)" }]
  }

  func title(of state: Tracked<Repositories>.State) -> String {
    let text = state.content.shown.query
    return text.isEmpty ? "Repositories" : "\(text) · Repositories"
  }

  func view(of state: Tracked<Repositories>.State) -> RepositoriesView {
    RepositoriesView(state, now: now())
  }
}

extension LiveQuery {
  /// The page that a list is to begin with; `nil` for the first.
  var page: PageKey? {
    self["page"].flatMap { Int($0) }.flatMap { $0 > 1 ? .number($0) : nil }
  }
}
