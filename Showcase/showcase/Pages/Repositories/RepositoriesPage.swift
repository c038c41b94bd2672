import Application
import CurlewLive
import CurlewScreens
import Domain

/// The repositories of a language in a browser.
struct RepositoriesPage: LivePage {
  let screen: ActivityTracking<Repositories>
  let templates: Templates

  var path: String { "/repositories" }

  init(_ screen: Repositories, _ templates: Templates) {
    self.screen = ActivityTracking(screen)
    self.templates = templates
  }

  func events(
    for query: LiveQuery, in state: ActivityTracking<Repositories>.State
  ) -> [ActivityTracking<Repositories>.Event] {
    let text = (query["language"] ?? "").asTyped
    let page = query.page
    let list = state.content.list
    let isShown = state.content.term == text && list.start == page && list.failure == nil
    let events: [PagedSearch<Repository>.Event] =
      [.term(text)] + (isShown ? [] : [.submit(from: page)])
    return events.map { .content(.search($0)) }
  }

  func event(for action: LiveAction) -> ActivityTracking<Repositories>.Event? {
    switch action.name {
    case "term": .content(.search(.term(action.value.asTyped)))
    case "submit": .content(.search(.submit()))
    case "retry": .content(.search(.list(.retry)))
    case "refresh": .content(.search(.list(.refresh)))
    case "more": .content(.search(.list(.more)))
    case "appeared": .content(.search(.list(.appeared(action.value))))
    case "pick": RepositoryName(action.value).map { .content(.pick($0)) }
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<Repositories>.State) -> LiveAddress {
    let search = state.content
    // While another word is typed, the page is one of the last word's list.
    let page = search.query == search.term ? search.list.start?.number : nil
    return LiveAddress(
      Self.query(search.query, page: page),
      isPlace: search.query.isEmpty || search.query == search.term)
  }

  static func query(_ language: String, page: Int? = nil) -> LiveQuery {
    ["language": language.isEmpty ? nil : language, "page": page.map { "\($0)" }]
  }

  func title(of state: ActivityTracking<Repositories>.State) -> String {
    let text = state.content.query
    return text.isEmpty ? "Repositories" : "\(text) · Repositories"
  }

  func render(_ state: ActivityTracking<Repositories>.State) -> HTML {
    templates.draw(.repositories, RepositoriesView(state, path: path))
  }
}

extension LiveQuery {
  /// The page that a list is to begin with; `nil` for the first.
  var page: PageKey? {
    self["page"].flatMap { Int($0) }.flatMap { $0 > 1 ? .number($0) : nil }
  }
}
