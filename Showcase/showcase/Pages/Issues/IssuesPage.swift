import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let issues = ScreenEntry(
    name: "issues",
    link: Link(
      title: "Issues",
      icon:
        "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 6.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
      miniature: .rows([
        "Make the parser optional", "Linker step waits too long", "Warn about unused results",
      ]),
      text: "A repository's open issues: search by name, select and read an issue."),
    actions: "term OWNER/NAME, submit, more, refresh, retry, pick [OWNER/NAME] NUMBER, close, "
      + "close-issue, reopen-issue, comment TEXT, edit-issue, issue-title TEXT, issue-body TEXT, "
      + "save-issue, cancel-edit, \(PendingView.actions)",
    command: IssuesCommand.self,
    example: ("issues apple/swift", "a repository's open issues"),
    page: { IssuesPage(IssueTracker(TrackIssues(host: $0.host)), isOffline: $0.isOffline) })
}

/// The page of the issue tracker.
struct IssuesPage: DatedPage {
  let screen: IssueTracker
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/issues" }

  func events(
    for query: LiveQuery, in state: IssueTracker.State
  ) -> [IssueTracker.Event] {
    state.search.events(for: query["q"], in: query).map { .search($0) }
      + [query["issue"].flatMap(Int.init).map { .pick($0) } ?? .close]
  }

  func event(for action: LiveAction) -> IssueTracker.Event? {
    switch action.name {
    case "pick": Self.pick(action.value)
    case "close": .close
    case "close-issue", "reopen-issue":
      Self.change(
        action.fields["issue"] ?? action.value, isOpen: action.name == "reopen-issue")
    default:
      Discussion.Event(action).map { .discussion($0) }
        ?? PendingChanges.Event(action).map { .pending($0) }
        ?? PagedSearch<Domain.Issue>.Event(action).map { .search($0) }
    }
  }

  /// A reader has no button for it, and can't forge it.
  func canAct(_ action: LiveAction, by user: User?) -> Bool {
    user?.canChangeIssues ?? true
      || !["close-issue", "reopen-issue", "save-issue"].contains(action.name)
  }

  /// Returns the event that changes an issue; without a key, the selected issue.
  private static func change(_ key: String, isOpen: Bool) -> IssueTracker.Event? {
    key.isEmpty ? .change(isOpen: isOpen) : reference(key).map { .change($0, isOpen: isOpen) }
  }

  /// Parses the key of an issue, such as `apple/swift 935`.
  static func reference(_ key: String) -> Domain.Issue.Reference? {
    let words = key.split(separator: " ")
    guard words.count == 2, let name = RepositoryName(String(words[0])), let number = Int(words[1])
    else { return nil }
    return Domain.Issue.Reference(name, number)
  }

  /// Returns the event that selects the issue of a row, such as `apple/swift 935`; without a name,
  /// an issue of the searched repository.
  private static func pick(_ value: String) -> IssueTracker.Event? {
    if let issue = reference(value) { return .pick(issue.number, of: issue.repository) }
    return value.split(separator: " ").last.flatMap { Int($0) }.map { .pick($0) }
  }

  func address(of state: IssueTracker.State) -> LiveAddress {
    let search = state.search
    let list = search.shownList
    return LiveAddress(
      Self.query(
        search.query, page: list?.start?.number, picked: state.selection),
      position: LiveQuery(pagesOf: list), isHistoryEntry: search.isSettled)
  }

  static func query(_ text: String, page: Int? = nil, picked: Int? = nil) -> LiveQuery {
    [
      "q": text.isEmpty ? nil : text, "page": page.map { "\($0)" },
      "issue": picked.map { "\($0)" },
    ]
  }

  func title(of state: IssueTracker.State) -> String {
    if let issue = state.picked { return "#\(issue.number) \(issue.title)" }
    let text = state.search.query
    return text.isEmpty ? "Issues" : "\(text) · Issues"
  }

  func view(of state: IssueTracker.State, _ activity: ScreenActivity) -> IssuesView {
    let (search, now) = (state.search, now())
    let (feed, term, other) = (search.list, search.term ?? "", state.other)
    return IssuesView(
      status: status(of: state),
      list: ListView(
        feed, showing: state.issues.count, activity, now: now,
        failed: "The issues could not be loaded"
      ) {
        path + Self.query(term, page: $0).text
      },
      text: search.text, term: term, invitation: search.hint ?? IssueTracker.hint,
      newIssue: NewIssueRoute(feed.items.first?.repository).address,
      rows: LivePiece(
        "rows", rows: state.issues, key: \.key,
        also: { issue in
          let isPicked = issue.number == state.selection
          return IssueRowView.Marks(
            isPicked: isPicked, isRead: state.isRead(issue) && !isPicked,
            pending: state.pending.text(of: issue.reference))
        }
      ) { IssueRowView($0, $1, now: now).html },
      picked: LivePiece("picked", PickedIssueView.Picked(state)) { picked in
        picked.map { PickedIssueView($0, now: now).html } ?? HTML(text: "")
      },
      overview: LivePiece("overview", other.id == nil ? state.issues : []) { issues in
        OverviewView(issues)?.html ?? HTML(text: "")
      },
      isPicked: state.picked != nil, unpicked: missing(other), isWanted: other.id != nil,
      examples: Self.examples { Self.query($0) }, pending: PendingView(state.pending))
  }

  private func status(of state: IssueTracker.State) -> String {
    let (search, feed, term) = (state.search, state.search.list, state.search.term ?? "")
    return feed.status(
      showing: state.issues.count,
      idle: search.hint ?? (search.query.isEmpty ? "" : "Waiting for you to stop typing…"),
      loading: "Looking for \(term)…", empty: "Nothing found for \(term).",
      failed: "The issues could not be loaded.",
      older: search.shownTerm.flatMap { $0 == term ? nil : $0 }
    ) { count in
      let name = feed.items.first.map { "\($0.repository)" } ?? ""
      if feed.next != nil { return "The newest \(count.grouped) open issues in \(name)" }
      return count == 1
        ? "1 open issue in \(name)" : "\(count.grouped) open issues in \(name), newest first"
    }
  }

  private func missing(
    _ other: Detail<Domain.Issue.Reference, Never, Domain.Issue>.State
  ) -> String {
    let wanted = other.id.map { "#\($0.number)" } ?? ""
    if let failure = other.content.failure {
      return "Issue \(wanted) could not be loaded. \(failure.message)"
    }
    if other.id == nil { return "Choose an issue to read it here." }
    return other.content.isLoading ? "Loading issue \(wanted)…" : "There is no issue \(wanted)."
  }

  /// Returns examples of repositories.
  static func examples(_ query: (String) -> LiveQuery) -> [ExampleView] {
    ["apple/swift", "moya/moya", "apple/cups"].map { ExampleView($0, query($0)) }
  }
}

struct IssuesView: ListPageView {
  let status: String
  let list: ListView
  let text, term, invitation: String
  /// The address of the form for a new issue in the listed repository.
  let newIssue: String
  let rows, picked, overview: LivePiece
  let isPicked: Bool
  /// The text in place of a selected issue.
  let unpicked: String
  /// Whether an issue is selected that is not in the list.
  let isWanted: Bool
  let examples: [ExampleView]
  fileprivate let pending: PendingView?
  var pendingLines: [String] { pending?.lines ?? [] }
  private var hasPanes: Bool { list.hasRows || isWanted || isPicked }

  static let template = HTMLTemplate<Self>(PackageResources.issues_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "list": \.list, "text": \.text, "term": \.term,
    "invitation": \.invitation, "newIssue": \.newIssue, "rows": \.rows, "picked": \.picked,
    "overview": \.overview,
    "isPicked": \.isPicked, "unpicked": \.unpicked, "isWanted": \.isWanted,
    "hasPanes": \.hasPanes, "examples": \.examples,
    "pending": \.pending,
  ]
}
