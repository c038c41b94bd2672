import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the template of one repository.
struct RepositoryView: PageView {
  struct Count {
    let name: String
    /// `nil` while it is not known.
    let value: String?
  }

  struct Repository {
    let owner: String
    let name: String
    let summary: String
    let avatar: String?
    let language: LanguageView?
    let licence: String?
    let topics: [String]
    let hasTopics: Bool
    let counts: [Count]
    let link: String?
    let issues: String
  }

  static let template = Template(PackageResources.repository_mustache)

  /// `owner/name`, whatever is known of it.
  let name: String
  let status: String
  let back: String
  let backTitle: String
  /// The path of the lists that it may have been opened from.
  let lists = RepositoriesPage.path
  let detail: DetailView
  let repository: Repository?

  var age: AgeView? { detail.age }

  init(_ tracked: Tracked<RepositoryDetail>.State, now: Date) {
    let state = tracked.content.shown
    let known = state.content == .empty ? nil : state.repository
    name = (known?.name ?? state.id).map { "\($0)" } ?? ""
    back = RepositoriesPage.path + RepositoriesPage.query(known?.language ?? "").text
    backTitle = (known?.language).map { "Repositories in \($0)" } ?? "Repositories"
    detail = DetailView(
      state, isKnown: known != nil, activity: tracked.activity,
      isOffline: tracked.content.isOffline,
      retry: state.id.map { RepositoryRoute($0).address } ?? back, now: now)
    repository = known.map { Repository($0) }
    status =
      switch state.content.phase {
      case .idle: ""
      case .loading: known == nil ? "Looking for \(name)…" : "Loading the rest of \(name)…"
      case .content: ""
      case .empty: "There is no repository \(name)."
      case .failed: known == nil ? "It could not be loaded." : "The rest could not be loaded."
      }
  }
}

extension RepositoryView.Repository {
  fileprivate init(_ repository: Domain.Repository) {
    let row = RepositoryRow(repository)
    owner = repository.name.owner
    name = repository.name.name
    summary = row.summary
    avatar = row.avatar?.imagePath
    language = LanguageView(row.language)
    licence = repository.licence
    topics = repository.topics
    hasTopics = !topics.isEmpty
    counts = [
      .init(name: "Stars", value: repository.stars?.grouped),
      .init(name: "Forks", value: repository.forks?.grouped),
      .init(name: "Watchers", value: repository.watchers?.grouped),
      .init(name: "Open issues", value: repository.openIssues?.grouped),
    ]
    link = repository.link?.webAddress
    issues = IssuesRoute(repository.name).address
  }
}
