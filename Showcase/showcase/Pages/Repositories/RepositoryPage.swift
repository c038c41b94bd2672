import Application
import CurlewLive
import CurlewScreens
import Domain

extension ScreenEntry {
  static let repository = ScreenEntry(
    "repository", address: "/repositories/apple/swift", actions: "retry, issues",
    command: RepositoryCommand.self,
    example: ("repository apple/swift", "the details of a repository"),
    page: { RepositoryPage(RepositoryDetail(host: $0.host, recent: $0.recent)) })
}

/// One repository in a browser.
struct RepositoryPage: ShowcasePage {
  let screen: ActivityTracking<RepositoryDetail>

  var path: String { "/repositories/{owner}/{name}" }

  init(_ screen: RepositoryDetail) {
    self.screen = ActivityTracking(screen)
  }

  func exists(for query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  func innerEvents(
    for query: LiveQuery, in state: RepositoryDetail.State
  ) -> [RepositoryDetail.Event] {
    guard let name = Self.name(in: query) else { return [] }
    let isFailed = state.id == name && state.content.failure != nil
    return [.detail(isFailed ? .retry : .show(name))]
  }

  func innerEvent(for action: LiveAction) -> RepositoryDetail.Event? {
    switch action.name {
    case "retry": .detail(.retry)
    case "issues": .issues
    default: nil
    }
  }

  func address(of state: ActivityTracking<RepositoryDetail>.State) -> LiveAddress {
    LiveAddress(
      path: state.content.id.map { RepositoryRoute($0).address } ?? RepositoriesPage.path)
  }

  func title(of state: ActivityTracking<RepositoryDetail>.State) -> String {
    let name = state.content.repository?.name ?? state.content.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// What the list knew is there at once.
  func isPresentable(_ state: ActivityTracking<RepositoryDetail>.State) -> Bool {
    state.content.repository != nil
  }

  func view(of state: ActivityTracking<RepositoryDetail>.State) -> RepositoryView {
    RepositoryView(state)
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }
}
