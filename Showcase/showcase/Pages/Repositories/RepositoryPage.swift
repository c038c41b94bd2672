import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let repository = ScreenEntry(
    name: "repository", start: "/repositories/apple/swift",
    actions: "retry, issues, star OWNER/NAME, unstar OWNER/NAME, \(PendingView.actions)",
    command: RepositoryCommand.self,
    example: ("repository apple/swift", "the details of a repository"),
    page: {
      RepositoryPage(RepositoryDetail(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// The page of a repository.
struct RepositoryPage: DatedPage {
  let screen: RepositoryDetail
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/repositories/{owner}/{name}" }

  func exists(for query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  func events(
    for query: LiveQuery, in state: RepositoryDetail.State
  ) -> [RepositoryDetail.Event] {
    guard let name = Self.name(in: query) else { return [] }
    return [.detail(.show(name))]
  }

  func event(for action: LiveAction) -> RepositoryDetail.Event? {
    if let star = Starring.Event(action) { return .stars(star) }
    if let event = PendingChanges.Event(action) { return .pending(event) }
    switch action.name {
    case "retry": return .detail(.retry)
    case "issues": return .issues
    default: return nil
    }
  }

  func address(of state: RepositoryDetail.State) -> LiveAddress {
    LiveAddress(
      path: state.detail.id.map { RepositoryRoute($0).address }
        ?? RepositoriesPage.path)
  }

  func title(of state: RepositoryDetail.State) -> String {
    let name =
      state.repository?.name ?? state.detail.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// Whether a repository is known, at least from a list, and the stars are loaded.
  func isPresentable(_ state: RepositoryDetail.State) -> Bool {
    state.repository != nil && state.stars.isReady
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }

  func slots(of state: RepositoryDetail.State) -> [String: HTML] {
    state.stars.slots
  }

  func view(of state: RepositoryDetail.State, _ activity: ScreenActivity) -> RepositoryView {
    let (state, known, stars, pending) = (
      state.detail, state.detail.content == .empty ? nil : state.repository, state.stars,
      state.pending
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
      repository: known.map {
        RepositoryView.Known(
          $0, isStarred: stars.isStarred($0), pending: pending.text(ofStar: $0.name))
      }, pending: PendingView(pending))
  }
}

struct RepositoryView: DetailPageView {
  let status: String
  let detail: DetailView
  /// The known name of the repository.
  let name: String
  let back, backTitle: String
  let repository: Known?
  fileprivate let pending: PendingView?
  var pendingLines: [String] { pending?.lines ?? [] }
  /// The path of the lists that may link to the repository.
  private var lists: String { RepositoriesPage.path }

  static let template = HTMLTemplate<Self>(PackageResources.repository_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "detail": \.detail, "name": \.name, "back": \.back,
    "backTitle": \.backTitle, "lists": \.lists, "repository": \.repository,
    "pending": \.pending,
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

    init(_ repository: Repository, isStarred: Bool?, pending: String?) {
      (self.repository, row) = (repository, RepositoryRow(repository))
      star = isStarred.map { StarView(repository.name, isOn: $0, pending: pending) }
    }
  }
}
