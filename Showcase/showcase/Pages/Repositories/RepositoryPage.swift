package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

extension ScreenEntry {
  static let repository = ScreenEntry(
    name: "repository", start: "/repositories/apple/swift",
    actions: "retry, issues, star OWNER/NAME, unstar OWNER/NAME",
    command: RepositoryCommand.self,
    example: ("repository apple/swift", "the details of a repository"),
    page: {
      RepositoryPage(RepositoryDetail(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// The page of a repository.
package struct RepositoryPage: DatedPage {
  package let screen: RepositoryDetail
  package let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  package init(
    screen: RepositoryDetail, activity: ScreenActivity.Options,
    now: @escaping @Sendable () -> Date
  ) {
    (self.screen, self.activity, self.now) = (screen, activity, now)
  }

  package var path: String { "/repositories/{owner}/{name}" }

  package func exists(for query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  package func events(
    for query: LiveQuery, in state: RepositoryDetail.State
  ) -> [RepositoryDetail.Event] {
    guard let name = Self.name(in: query) else { return [] }
    return [.detail(.show(name))]
  }

  package func event(for action: LiveAction) -> RepositoryDetail.Event? {
    if let star = Starring.Event(action) { return .stars(star) }
    switch action.name {
    case "retry": return .detail(.retry)
    case "issues": return .issues
    default: return nil
    }
  }

  package func address(of state: RepositoryDetail.State) -> LiveAddress {
    LiveAddress(
      path: state.detail.id.map { RepositoryRoute($0).address }
        ?? RepositoriesPage.path)
  }

  package func title(of state: RepositoryDetail.State) -> String {
    let name =
      state.repository?.name ?? state.detail.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// Whether a repository is known, at least from a list, and the stars are loaded.
  package func isPresentable(_ state: RepositoryDetail.State) -> Bool {
    state.repository != nil && state.stars.isReady
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }

  package func slots(of state: RepositoryDetail.State) -> [String: HTML] {
    state.stars.slots
  }

  package func view(of state: RepositoryDetail.State, _ activity: ScreenActivity) -> RepositoryView
  {
    let (state, known, stars) = (
      state.detail, state.detail.content == .empty ? nil : state.repository, state.stars
    )
    let name = (known?.name ?? state.id).map { "\($0)" } ?? ""
    let lists = RepositoriesPage.path
    let back = lists + RepositoriesPage.query(known?.language ?? "").text
    let status =
      switch state.content {
      case .idle, .content: ""
      case .loading: known == nil ? "Loading \(name)…" : "Loading the details of \(name)…"
      case .empty: "There is no repository \(name)."
      case .failed:
        known == nil ? "\(name) could not be loaded." : "The details could not be loaded."
      }
    return RepositoryView(
      status: status,
      detail: DetailView(
        state, activity, isKnown: known != nil,
        retry: state.id.map { RepositoryRoute($0).address } ?? back, now: now()),
      name: name, back: back,
      backTitle: (known?.language).map { "Repositories in \($0)" } ?? "Repositories",
      repository: known.map { RepositoryView.Known($0, isStarred: stars.isStarred($0)) })
  }
}

package struct RepositoryView: DetailPageView {
  package let status: String
  let detail: DetailView
  /// The known name of the repository.
  let name: String
  let back, backTitle: String
  let repository: Known?
  /// The path of the lists that may link to the repository.
  private var lists: String { RepositoriesPage.path }

  package static let template = HTMLTemplate<Self>(PackageResources.repository_mustache)
  package static let names: TemplateNames<Self> = [
    "status": \.status, "detail": \.detail, "name": \.name, "back": \.back,
    "backTitle": \.backTitle, "lists": \.lists, "repository": \.repository,
  ]

  /// The known properties of the repository.
  struct Known: TemplateValues {
    private let repository: Repository
    private let row: RepositoryRow
    private let star: StarView?
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
      "star": \.star,
    ]

    init(_ repository: Repository, isStarred: Bool?) {
      (self.repository, row) = (repository, RepositoryRow(repository))
      star = isStarred.map { StarView(repository.name, isOn: $0) }
    }
  }
}
