package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

extension ScreenEntry {
  static let repository = ScreenEntry(
    name: "repository", start: "/repositories/apple/swift", actions: "retry, issues",
    command: RepositoryCommand.self,
    example: ("repository apple/swift", "the details of a repository"),
    page: {
      RepositoryPage(RepositoryDetail(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// One repository in a browser.
package struct RepositoryPage: DatedPage {
  package let screen: Tracked<RepositoryDetail>
  let now: @Sendable () -> Date

  package init(screen: Tracked<RepositoryDetail>, now: @escaping @Sendable () -> Date) {
    (self.screen, self.now) = (screen, now)
  }

  package var path: String { "/repositories/{owner}/{name}" }

  package func exists(for query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  package func innerEvents(
    for query: LiveQuery, in state: RepositoryDetail.State
  ) -> [RepositoryDetail.Event] {
    guard let name = Self.name(in: query) else { return [] }
    let isFailed = state.id == name && state.content.failure != nil
    return [.detail(isFailed ? .retry : .show(name))]
  }

  package func innerEvent(for action: LiveAction) -> RepositoryDetail.Event? {
    switch action.name {
    case "retry": .detail(.retry)
    case "issues": .issues
    default: nil
    }
  }

  package func address(of state: Tracked<RepositoryDetail>.State) -> LiveAddress {
    LiveAddress(
      path: state.content.displayed.id.map { RepositoryRoute($0).address } ?? RepositoriesPage.path)
  }

  package func title(of state: Tracked<RepositoryDetail>.State) -> String {
    let name = state.content.displayed.repository?.name ?? state.content.displayed.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// What the list knew is there at once.
  package func isPresentable(_ state: Tracked<RepositoryDetail>.State) -> Bool {
    state.content.displayed.repository != nil
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }

  package func view(of tracked: Tracked<RepositoryDetail>.State) -> RepositoryView {
    let state = tracked.content.displayed
    let known = state.content == .empty ? nil : state.repository
    let name = (known?.name ?? state.id).map { "\($0)" } ?? ""
    let lists = RepositoriesPage.path
    let back = lists + RepositoriesPage.query(known?.language ?? "").text
    let status =
      switch state.content.phase {
      case .idle, .content: ""
      case .loading: known == nil ? "Looking for \(name)…" : "Loading the rest of \(name)…"
      case .empty: "There is no repository \(name)."
      case .failed: known == nil ? "It could not be loaded." : "The rest could not be loaded."
      }
    return RepositoryView(
      status: status,
      detail: DetailView(
        state, of: tracked, isKnown: known != nil,
        retry: state.id.map { RepositoryRoute($0).address } ?? back, now: now()),
      name: name, back: back,
      backTitle: (known?.language).map { "Repositories in \($0)" } ?? "Repositories",
      repository: known.map { RepositoryView.Known($0) })
  }
}

package struct RepositoryView: DetailPageView {
  package let status: String
  let detail: DetailView
  /// Whatever is known of its name.
  let name: String
  let back, backTitle: String
  let repository: Known?
  /// The path of the lists that it may have been opened from.
  private var lists: String { RepositoriesPage.path }

  package static let template = HTMLTemplate<Self>(PackageResources.repository_mustache)
  package static let names: TemplateNames<Self> = [
    "status": \.status, "detail": \.detail, "name": \.name, "back": \.back,
    "backTitle": \.backTitle, "lists": \.lists, "repository": \.repository,
  ]

  /// What is known of it.
  struct Known: TemplateValues {
    private let repository: Repository
    private let row: RepositoryRow
    private var avatar: String? { row.avatar?.imagePath }
    private var language: LanguageView? { LanguageView(row.language) }
    private var hasTopics: Bool { !repository.topics.isEmpty }
    private var link: String? { repository.link?.webAddress }
    private var issues: String { IssuesRoute(repository.name).address }
    private var counts: [FactView] {
      [
        FactView("Stars", repository.stars?.grouped), FactView("Forks", repository.forks?.grouped),
        FactView("Watchers", repository.watchers?.grouped),
        FactView("Open issues", repository.openIssues?.grouped),
      ]
    }

    static let names: TemplateNames<Self> = [
      "owner": \.repository.name.owner, "name": \.repository.name.name,
      "summary": \.row.summary, "avatar": \.avatar, "language": \.language,
      "licence": \.repository.licence, "topics": \.repository.topics,
      "hasTopics": \.hasTopics, "counts": \.counts, "link": \.link, "issues": \.issues,
    ]

    init(_ repository: Repository) {
      (self.repository, row) = (repository, RepositoryRow(repository))
    }
  }
}
