import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let repository = ScreenEntry(
    "repository", address: "/repositories/apple/swift", actions: "retry, issues",
    command: RepositoryCommand.self,
    example: ("repository apple/swift", "the details of a repository"),
    page: {
      RepositoryPage(RepositoryDetail(host: $0.host, recent: $0.recent), isOffline: $0.isOffline)
    })
}

/// One repository in a browser.
struct RepositoryPage: DatedPage {
  let screen: Tracked<RepositoryDetail>
  let now: @Sendable () -> Date

  var path: String { "/repositories/{owner}/{name}" }

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

  func address(of state: Tracked<RepositoryDetail>.State) -> LiveAddress {
    LiveAddress(
      path: state.content.displayed.id.map { RepositoryRoute($0).address } ?? RepositoriesPage.path)
  }

  func title(of state: Tracked<RepositoryDetail>.State) -> String {
    let name = state.content.displayed.repository?.name ?? state.content.displayed.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// What the list knew is there at once.
  func isPresentable(_ state: Tracked<RepositoryDetail>.State) -> Bool {
    state.content.displayed.repository != nil
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }
}
