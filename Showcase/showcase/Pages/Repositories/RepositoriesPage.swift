import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let repositories = ScreenEntry(
    name: "repositories",
    link: Link(
      title: "Repositories",
      icon:
        "M6 3h13v14H7.500A1.5 1.5 0 0 0 6 18.500V3zm0 15.500A2.5 2.5 0 0 0 8.5 21H19v-4M10 7h5",
      miniature: .cards(["tin-thyme", "paperglossary", "little-brook", "long-spillway"]),
      text: "The most starred repositories of a language: an endless list, and a page for each.",
      slot: PageLayout.starred),
    actions: "term LANGUAGE, submit, more, refresh, retry, pick OWNER/NAME, "
      + "star OWNER/NAME, unstar OWNER/NAME, filter, minimum 1000, apply, close, "
      + "\(PendingView.actions)",
    command: RepositoriesCommand.self,
    example: ("repositories swift --all", "a language's repositories, all pages"),
    page: {
      RepositoriesPage(Repositories(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// The page of a language's repositories.
struct RepositoriesPage: DatedPage {
  let screen: Repositories
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  static let path = "/repositories"
  var path: String { Self.path }

  func events(
    for query: LiveQuery, in state: Repositories.State
  ) -> [Repositories.Event] {
    let (minimum, draft) = (query.minimum("stars") ?? 0, query.minimum("filter"))
    let filter: [Repositories.Event] = [.openFilter, .filter(.minimum(minimum)), .applyFilter]
    return filter + (draft.map { [.openFilter, .filter(.minimum($0))] } ?? [])
      + state.search.events(for: query["language"], in: query).map { .search($0) }
  }

  func event(for action: LiveAction) -> Repositories.Event? {
    if let star = Starring.Event(action) { return .stars(star) }
    if let event = PendingChanges.Event(action) { return .pending(event) }
    switch action.name {
    case "pick": return RepositoryName(action.value).map { .pick($0) }
    case "filter": return .openFilter
    case "minimum": return Int(action.value).map { .filter(.minimum($0)) }
    case "apply": return .applyFilter
    case "close": return .closeFilter
    default: return PagedSearch<Repository>.Event(action).map { .search($0) }
    }
  }

  func address(of state: Repositories.State) -> LiveAddress {
    let (search, draft) = (state.search, state.filter?.minimum)
    let list = search.shownList
    return LiveAddress(
      Self.query(search.query, page: list?.start?.number, stars: state.minimum, filter: draft),
      position: LiveQuery(pagesOf: list),
      isHistoryEntry: search.isSettled && (draft == nil || draft == state.minimum))
  }

  /// Returns the query of a list.
  ///
  /// - Parameters:
  ///   - stars: The minimum number of stars of the listed repositories.
  ///   - filter: The minimum number of stars that is chosen in the open filter; `nil` if it is closed.
  static func query(
    _ language: String, page: Int? = nil, stars: Int = 0, filter: Int? = nil
  ) -> LiveQuery {
    [
      "language": language.isEmpty ? nil : language, "page": page.map { "\($0)" },
      "stars": stars == 0 ? nil : "\(stars)", "filter": filter.map { "\($0)" },
    ]
  }

  func title(of state: Repositories.State) -> String {
    let text = state.search.query
    return text.isEmpty ? "Repositories" : "\(text) · Repositories"
  }

  func slots(of state: Repositories.State) -> [String: HTML] {
    state.stars.slots
  }

  func view(of state: Repositories.State, _ activity: ScreenActivity) -> RepositoriesView {
    let (search, stars, minimum) = (state.search, state.stars, state.minimum)
    let pending = state.pending
    let feed = search.list
    let term = search.term ?? ""
    let address = { Self.path + Self.query(term, stars: minimum, filter: $0).text }
    // The total of a filtered list is known at its end.
    let first = minimum > 0 && feed.next != nil ? "The first " : ""
    let limit = minimum == 0 ? "" : " with at least \(minimum.grouped) stars"
    let status = feed.status(
      idle: search.query.isEmpty ? "" : "Waiting for you to stop typing…",
      loading: "Looking for repositories in \(term)…", empty: "Nothing found for \(term)\(limit).",
      failed: "The repositories could not be loaded.",
      older: search.shownTerm.flatMap { $0 == term ? nil : "repositories in \($0)" }
    ) { first + "\($0.grouped) \($0 == 1 ? "repository" : "repositories") in \(term)\(limit)" }
    return RepositoriesView(
      status: status,
      list: ListView(feed, activity, now: now(), failed: "The repositories could not be loaded") {
        Self.path + Self.query(term, page: $0, stars: minimum).text
      },
      text: search.text, term: term, minimum: minimum,
      openFilter: address(minimum),
      filter: state.filter.map { filter in
        FilterView(
          filter, apply: Self.path + Self.query(term, stars: filter.minimum).text,
          close: address(nil), address: address)
      },
      rows: LivePiece(
        "rows", rows: feed.items, key: { "\($0.id)" },
        also: { repository in
          RepositoryRowView.Star(
            isOn: stars.isStarred(repository), pending: pending.text(ofStar: repository.name))
        }
      ) { RepositoryRowView($0, $1).html }, pending: PendingView(pending))
  }
}

struct RepositoriesView: ListPageView {
  let status: String
  let list: ListView
  let text, term: String
  fileprivate let minimum: Int
  /// The minimum number of stars of the listed repositories; `nil` if all are listed.
  private var limit: String? { minimum == 0 ? nil : minimum.grouped }
  private var stars: String? { minimum == 0 ? nil : "\(minimum)" }
  /// The address of the list with the open filter.
  let openFilter: String
  let filter: FilterView?
  let rows: LivePiece
  fileprivate let pending: PendingView?
  var pendingLines: [String] { pending?.lines ?? [] }
  var examples: [ExampleView] {
    LanguageView.examples.map {
      ExampleView($0.name, RepositoriesPage.query($0.name), color: $0.color)
    }
  }

  static let template = HTMLTemplate<Self>(PackageResources.repositories_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "list": \.list, "text": \.text, "term": \.term, "rows": \.rows,
    "examples": \.examples, "limit": \.limit, "stars": \.stars, "openFilter": \.openFilter,
    "filter": \.filter, "pending": \.pending,
  ]
}

/// A repository in a list.
struct RepositoryRowView: TemplateView {
  /// The user's star; `nil` if unknown.
  struct Star: Equatable {
    var isOn: Bool?
    /// The state of a change that the host has not confirmed.
    var pending: String?
  }

  private let repository: Repository
  private let row: RepositoryRow
  private let star: StarView?
  private var href: String { RepositoryRoute(repository.name).address }
  private var language: LanguageView? { LanguageView(row.language) }
  private var avatar: String? { row.avatar?.imagePath }

  static let template = HTMLTemplate<Self>(PackageResources.repositoryrow_mustache)
  static let names: TemplateNames<Self> = [
    "key": \.repository.id, "href": \.href, "owner": \.repository.name.owner,
    "name": \.repository.name.name, "fullName": \.row.name, "summary": \.row.summary,
    "stars": \.row.stars, "forks": \.row.forks, "language": \.language, "avatar": \.avatar,
    "star": \.star,
  ]

  init(_ repository: Repository, _ star: Star) {
    (self.repository, row) = (repository, RepositoryRow(repository))
    self.star = star.isOn.map { StarView(repository.name, isOn: $0, pending: star.pending) }
  }
}
