import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation
import Mustache

/// The issue tracker in a browser.
struct IssuesPage: LivePage {
  let screen: IssueTracker
  let template: MustacheTemplate
  let now: @Sendable () -> Date

  var path: String { "/issues" }

  /// Creates the page.
  ///
  /// - Throws: When the template is malformed.
  init(screen: IssueTracker, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.screen = screen
    self.now = now
    template = try MustacheTemplate(
      string: String(decoding: PackageResources.issues_mustache, as: UTF8.self))
  }

  func events(for query: LiveQuery, in state: IssueTracker.State) -> [IssueTracker.Event] {
    let text = Self.text(query["q"] ?? "")
    var events: [IssueTracker.Event] = [.search(.term(text))]
    let isShown = state.search.term == text && state.search.results.failure == nil
    if !isShown { events.append(.search(.submit)) }
    events.append(query["issue"].flatMap(Int.init).map { .pick($0) } ?? .close)
    return events
  }

  func event(for action: LiveAction) -> IssueTracker.Event? {
    switch action.name {
    case "term": .search(.term(Self.text(action.value)))
    case "submit": .search(.submit)
    case "retry": .search(.retry)
    case "pick": Int(action.value).map { .pick($0) }
    case "close": .close
    default: nil
    }
  }

  func address(of state: IssueTracker.State) -> LiveAddress {
    LiveAddress(
      Self.query(state.search.text, picked: state.selection),
      isPlace: state.search.text.isEmpty || state.search.text == state.search.term)
  }

  /// A text as the field would take it: in one line of at most 200 characters.
  private static func text(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200)))
  }

  static func query(_ text: String, picked: Int? = nil) -> LiveQuery {
    ["q": text.isEmpty ? nil : text, "issue": picked.map { "\($0)" }]
  }

  func title(of state: IssueTracker.State) -> String {
    if let issue = state.picked { return "#\(issue.number) \(issue.title)" }
    return state.search.text.isEmpty ? "Issues" : "\(state.search.text) · Issues"
  }

  func render(_ state: IssueTracker.State) -> HTML {
    HTML(template, IssuesView(state, path: path, now: now()))
  }
}
