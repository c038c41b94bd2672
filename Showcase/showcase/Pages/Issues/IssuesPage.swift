import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let issues = ScreenEntry(
    "issues",
    link: Link(
      title: "Issues",
      icon:
        "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 6.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
      text: "What there is to do in a repository: search by name, pick one, read it."),
    actions: "term OWNER/NAME, submit, more, refresh, retry, pick [OWNER/NAME] NUMBER, close",
    command: IssuesCommand.self,
    example: ("issues apple/swift", "a repository's open issues"),
    page: { IssuesPage(IssueTracker(TrackIssues(host: $0.host)), isOffline: $0.isOffline) })
}

/// The issue tracker in a browser.
struct IssuesPage: DatedPage {
  let screen: Tracked<IssueTracker>
  let now: @Sendable () -> Date

  var path: String { "/issues" }

  func innerEvents(
    for query: LiveQuery, in state: IssueTracker.State
  ) -> [IssueTracker.Event] {
    state.search.events(for: query["q"], in: query).map { .search($0) }
      + [query["issue"].flatMap(Int.init).map { .pick($0) } ?? .close]
  }

  func innerEvent(for action: LiveAction) -> IssueTracker.Event? {
    switch action.name {
    case "pick": Self.pick(action.value)
    case "close": .close
    default: PagedSearch<Domain.Issue>.Event(action).map { .search($0) }
    }
  }

  /// Picks what a row stands for: `apple/swift 935`; without a name, an issue of what is searched.
  private static func pick(_ value: String) -> IssueTracker.Event? {
    let words = value.split(separator: " ")
    guard let number = words.last.flatMap({ Int($0) }) else { return nil }
    return .pick(number, of: words.count == 2 ? RepositoryName(String(words[0])) : nil)
  }

  func address(of state: Tracked<IssueTracker>.State) -> LiveAddress {
    let search = state.content.displayed.search
    let list = search.shownList
    return LiveAddress(
      Self.query(
        search.query, page: list?.start?.number, picked: state.content.displayed.selection),
      position: LiveQuery(pagesOf: list), isHistoryEntry: search.isSettled)
  }

  static func query(_ text: String, page: Int? = nil, picked: Int? = nil) -> LiveQuery {
    [
      "q": text.isEmpty ? nil : text, "page": page.map { "\($0)" },
      "issue": picked.map { "\($0)" },
    ]
  }

  func title(of state: Tracked<IssueTracker>.State) -> String {
    if let issue = state.content.displayed.picked { return "#\(issue.number) \(issue.title)" }
    let text = state.content.displayed.search.query
    return text.isEmpty ? "Issues" : "\(text) · Issues"
  }

  /// How many of the listed issues were not read, beside the link to them.
  func slots(of state: Tracked<IssueTracker>.State) -> [String: HTML] {
    let unread = state.content.displayed.unread
    guard unread > 0 else { return [:] }
    return [PageLayout.unread: HTML(text: unread.grouped)]
  }
}
