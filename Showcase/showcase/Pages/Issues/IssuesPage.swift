import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The issue tracker in a browser.
struct IssuesPage: LivePage {
  let screen: ActivityTracking<IssueTracker>
  let templates: Templates
  let now: @Sendable () -> Date

  var path: String { "/issues" }

  init(
    _ screen: IssueTracker, _ templates: Templates, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.screen = ActivityTracking(screen)
    self.templates = templates
    self.now = now
  }

  func events(
    for query: LiveQuery, in state: ActivityTracking<IssueTracker>.State
  ) -> [ActivityTracking<IssueTracker>.Event] {
    let text = (query["q"] ?? "").asTyped
    let search = state.content.search
    var events: [IssueTracker.Event] = [.search(.term(text))]
    let isShown = search.term == text && search.results.failure == nil
    if !isShown { events.append(.search(.submit)) }
    events.append(query["issue"].flatMap(Int.init).map { .pick($0) } ?? .close)
    return events.map { .content($0) }
  }

  func event(for action: LiveAction) -> ActivityTracking<IssueTracker>.Event? {
    switch action.name {
    case "term": .content(.search(.term(action.value.asTyped)))
    case "submit": .content(.search(.submit))
    case "retry": .content(.search(.retry))
    case "pick": Int(action.value).map { .content(.pick($0)) }
    case "close": .content(.close)
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<IssueTracker>.State) -> LiveAddress {
    let search = state.content.search
    return LiveAddress(
      Self.query(search.query, picked: state.content.selection),
      isPlace: search.query.isEmpty || search.query == search.term)
  }

  static func query(_ text: String, picked: Int? = nil) -> LiveQuery {
    ["q": text.isEmpty ? nil : text, "issue": picked.map { "\($0)" }]
  }

  func title(of state: ActivityTracking<IssueTracker>.State) -> String {
    if let issue = state.content.picked { return "#\(issue.number) \(issue.title)" }
    let text = state.content.search.query
    return text.isEmpty ? "Issues" : "\(text) · Issues"
  }

  func render(_ state: ActivityTracking<IssueTracker>.State) -> HTML {
    templates.draw(.issues, IssuesView(state, path: path, now: now()))
  }
}
