import Application
import CurlewLive
import CurlewScreens
import Domain

/// One repository in a browser.
struct RepositoryPage: LivePage {
  let screen: ActivityTracking<RepositoryDetail>
  let templates: Templates

  var path: String { "/repositories/{owner}/{name}" }

  init(_ screen: RepositoryDetail, _ templates: Templates) {
    self.screen = ActivityTracking(screen)
    self.templates = templates
  }

  func isPlace(_ query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  func events(
    for query: LiveQuery, in state: ActivityTracking<RepositoryDetail>.State
  ) -> [ActivityTracking<RepositoryDetail>.Event] {
    guard let name = Self.name(in: query) else { return [] }
    let isFailed = state.content.id == name && state.content.content.failure != nil
    return [.content(.detail(isFailed ? .retry : .show(name)))]
  }

  func event(for action: LiveAction) -> ActivityTracking<RepositoryDetail>.Event? {
    switch action.name {
    case "retry": .content(.detail(.retry))
    case "issues": .content(.issues)
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<RepositoryDetail>.State) -> LiveAddress {
    let place = state.content.id.map { Place.repository($0) } ?? .repositories(language: nil)
    return LiveAddress(path: place.address)
  }

  func title(of state: ActivityTracking<RepositoryDetail>.State) -> String {
    let name = state.content.repository?.name ?? state.content.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// What the list knew is there at once.
  func isPresentable(_ state: ActivityTracking<RepositoryDetail>.State) -> Bool {
    state.content.repository != nil
  }

  func render(_ state: ActivityTracking<RepositoryDetail>.State) -> HTML {
    templates.draw(.repository, RepositoryView(state))
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }
}
