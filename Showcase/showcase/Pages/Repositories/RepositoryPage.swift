import Application
import CurlewLive
import CurlewScreens
import Domain

/// One repository in a browser.
struct RepositoryPage: LivePage {
  let screen: Tracked<RepositoryDetail>
  let templates: Templates

  var path: String { "/repositories/{owner}/{name}" }

  init(_ screen: RepositoryDetail, _ templates: Templates) {
    self.screen = Tracked(screen)
    self.templates = templates
  }

  func isPlace(_ query: LiveQuery) -> Bool { Self.name(in: query) != nil }

  func events(
    for query: LiveQuery, in state: Tracked<RepositoryDetail>.State
  ) -> [Tracked<RepositoryDetail>.Event] {
    guard let name = Self.name(in: query) else { return [] }
    let isFailed = state.content.id == name && state.content.content.failure != nil
    return [.content(.detail(isFailed ? .retry : .show(name)))]
  }

  func event(for action: LiveAction) -> Tracked<RepositoryDetail>.Event? {
    switch action.name {
    case "retry": .content(.detail(.retry))
    case "issues": .content(.issues)
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: Tracked<RepositoryDetail>.State) -> LiveAddress {
    let place = state.content.id.map { Place.repository($0) } ?? .repositories(language: nil)
    return LiveAddress(path: place.address)
  }

  func title(of state: Tracked<RepositoryDetail>.State) -> String {
    let name = state.content.repository?.name ?? state.content.id
    return name.map { "\($0)" } ?? "Repository"
  }

  /// What the list knew is there at once.
  func isPresentable(_ state: Tracked<RepositoryDetail>.State) -> Bool {
    state.content.repository != nil
  }

  func render(_ state: Tracked<RepositoryDetail>.State) -> HTML {
    templates.draw(.repository, RepositoryView(state))
  }

  private static func name(in query: LiveQuery) -> RepositoryName? {
    RepositoryName(owner: query["owner"] ?? "", name: query["name"] ?? "")
  }
}
