public import CurlewScreens
public import Domain
import Foundation

/// The issue tracker: a field for a repository's name, its open issues, and the selected issue.
public struct IssueTracker: Screen {
  /// The events of the tracker.
  public enum Event: Sendable {
    /// An event of the search.
    case search(PagedSearch<Issue>.Event)
    /// The user selects an issue by its number in the given repository; without a name, in the
    /// repository that is searched.
    case pick(Int, of: RepositoryName? = nil)
    /// The user closes the view of the selected issue.
    case close
    /// The user closes or reopens an issue at its host; without a reference, the selected issue.
    case change(Issue.Reference? = nil, isOpen: Bool)
    /// An event of the selected issue's comments.
    case discussion(Discussion.Event)
    /// An event of the user's pending changes.
    case pending(PendingChanges.Event)
  }

  /// The state of the tracker.
  public struct State: Equatable, Sendable {
    /// The field and the list of issues.
    public fileprivate(set) var search: PagedSearch<Issue>.State
    /// The selected issue if it is not in the list, for example because it is old or closed.
    public fileprivate(set) var other: Detail<Issue.Reference, Never, Issue>.State
    /// The number of the selected issue.
    public fileprivate(set) var selection: Int?
    /// The comments on the selected issue, if the user can add some.
    public fileprivate(set) var discussion = Discussion.State()
    /// The user's changes that the host has not confirmed.
    public fileprivate(set) var pending = PendingChanges.State()
    /// The newest texts of the issues that were selected since the screen was opened.
    fileprivate var texts: [Issue.Reference: IssueTexts] = [:]
    /// The issues selected since the screen was opened.
    fileprivate var read: Set<Issue.Reference> = []
    /// Whether each issue that was closed or reopened on any screen is open; `nil` if the host
    /// can't change issues.
    fileprivate var changed: [Issue.Reference: Bool]?
    fileprivate var changes: [String: HostWrite<HostSetting<Issue.Reference>>.State] = [:]

    /// Creates a state.
    public init(
      search: PagedSearch<Issue>.State,
      other: Detail<Issue.Reference, Never, Issue>.State = .init()
    ) {
      (self.search, self.other) = (search, other)
    }

    /// The listed issues that are still open.
    public var issues: [Issue] {
      let items = search.list.items
      let open = changed?.isEmpty ?? true ? items : items.filter { isOpen($0) }
      return canComment ? open.map { edited($0) } : open
    }

    /// Whether an issue is selected.
    public var isPicking: Bool { selection != nil }

    /// The selected issue; `nil` until it is loaded.
    public var picked: Issue? {
      selection.flatMap { number in
        search.list.items.first { $0.number == number }
          ?? other.content.latest.flatMap { $0.number == number ? $0 : nil }
      }.map { edited($0) }
    }

    /// Returns an issue with the texts of a pending edit, or newer ones than its list has.
    public func edited(_ issue: Issue) -> Issue {
      guard let texts = pending.edit(of: issue.reference)?.texts ?? texts[issue.reference] else {
        return issue
      }
      var issue = issue
      (issue.title, issue.body) = (texts.title, texts.body)
      return issue
    }

    /// Returns whether an issue is open, including changes made on other screens.
    public func isOpen(_ issue: Issue) -> Bool { changed?[issue.reference] ?? issue.isOpen }

    /// Whether the user can close and reopen issues.
    public var canChange: Bool { changed != nil }

    /// Whether the user can add comments.
    public var canComment: Bool { pending.all != nil }

    /// The comments on the selected issue, including those that the host has not confirmed; `nil` until they are
    /// loaded.
    public var comments: [IssueComment]? {
      guard let issue = discussion.issue else { return nil }
      let loaded = discussion.comments
      let pending = pending.comments(on: issue).filter { comment in
        !(loaded?.contains { $0.id == comment.id } ?? false)
      }
      return loaded == nil && pending.isEmpty ? nil : (loaded ?? []) + pending
    }

    /// Returns whether an issue has been selected since the screen was opened.
    public func isRead(_ issue: Issue) -> Bool { read.contains(issue.reference) }
  }

  /// The hint shown while the text is not a repository's name.
  public static let hint = "Type a repository as owner/name, for example apple/swift."

  let search: PagedSearch<Issue>
  let other: Detail<Issue.Reference, Never, Issue>
  private let host: any CodeHost
  private let setting: HostWrite<HostSetting<Issue.Reference>>
  private let discussion: Discussion
  private let pending: PendingChanges

  /// Creates a tracker with a use case.
  public init(_ trackIssues: TrackIssues) {
    let host = trackIssues.host
    self.host = host
    (discussion, pending) = (Discussion(host: host), PendingChanges(host: host))
    setting = HostWrite { host.change($0.target, isOpen: $0.isOn) }
    search = PagedSearch(
      debounce: .milliseconds(500), hint: { RepositoryName($0) == nil ? Self.hint : nil }
    ) { text, key in
      guard let name = RepositoryName(text) else { return Page([]) }
      return try await trackIssues(name, page: key?.number ?? 1).page
    }
    other = Detail(load: { try await trackIssues.issue($0.number, of: $0.repository) })
  }

  /// The initial state: an empty field.
  public var initial: State { State(search: search.initial, other: other.initial) }

  /// Observes the issues that are closed and reopened on other screens.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    let changes = host.changedIssues()
    state.changed = changes.current
    work.follow("changed") {
      changes
    } each: { state, changed, _ in
      state.changed = changed
    }
  }

  /// The search, the changes of issues, and the comments.
  public var parts: [Part<State, Event>] {
    [
      Part(\.search, search, event: Event.search),
      Part(\.discussion, discussion, event: Event.discussion),
      Part(\.pending, pending, event: Event.pending),
      Part(each: \.changes, setting) { _, change in .change(change.target, isOpen: change.isOn) },
    ]
  }

  /// Handles an event of the tracker.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .search(let event):
      let query = state.search.query
      work.scope(\.search) { search.handle(event, &state.search, &$0) }
      // In another repository, the number identifies a different issue or none.
      if state.search.query != query { state.selection = nil }
    case .pick(let number, let name):
      if let name, !isSearched(name, state.search) {
        // Discards the text that was typed since the list was loaded, and its pending search.
        work.scope(\.search) { search.handle(.term("\(name)"), &state.search, &$0) }
        if state.search.term != state.search.query {
          work.scope(\.search) { search.handle(.submit(), &state.search, &$0) }
        }
      }
      state.selection = number
      // The user may select the same issue again after a failure.
      work.scope(\.other) { other.handle(.retry, &state.other, &$0) }
    case .close: state.selection = nil
    case .change(let issue, let isOpen):
      guard let issue = issue ?? state.picked?.reference else { return }
      let key = "\(issue.repository.id) \(issue.number)"
      if state.changes[key] == nil { state.changes[key] = setting.initial }
      work.scope(each: \.changes, id: key, &state) {
        setting.handle(.init(target: issue, isOn: isOpen), &$0, &$1)
      }
    case .discussion(let event): discuss(event, &state, &work)
    case .pending(let event):
      work.scope(\.pending) { pending.handle(event, &state.pending, &$0) }
    }
  }

  private func discuss(
    _ event: Discussion.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    work.scope(\.discussion) { discussion.handle(event, &state.discussion, &$0) }
  }

  /// Loads the selected issue if the list does not contain it, and marks a loaded issue as read.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    // The response to a form submission without a script is rendered before the stream delivers the
    // change.
    if !state.changes.isEmpty, let current = host.changedIssues().current {
      state.changed = current
    }
    pending.read(&state.pending)
    let missing = missing(in: state)
    if let missing, missing != state.other.id {
      work.scope(\.other) { other.handle(.show(missing), &state.other, &$0) }
    } else if let loaded = state.other.id, missing == nil, !isKept(loaded, in: state) {
      work.scope(\.other) { other.handle(.clear, &state.other, &$0) }
    }
    let picked = state.picked?.reference
    if let picked { state.read.insert(picked) }
    guard state.canComment else { return }
    if picked != state.discussion.issue { discuss(.show(picked), &state, &work) }
    // An edit begins with the pending one.
    state.discussion.pending = picked.flatMap { state.pending.edit(of: $0) }
    discussion.read(&state.discussion)
    if let picked, let texts = state.discussion.texts { state.texts[picked] = texts }
  }

  /// The selected issue, if the list is loaded and does not contain it.
  private func missing(in state: State) -> Issue.Reference? {
    let search = state.search
    guard let number = state.selection, search.query == search.term,
      search.list.status != .loading(.first), search.list.failure == nil,
      !search.list.items.contains(where: { $0.number == number }),
      let name = search.list.items.first?.repository ?? RepositoryName(search.query)
    else { return nil }
    return Issue.Reference(name, number)
  }

  /// Returns whether the separately loaded issue is kept; a list that fails or reloads doesn't
  /// discard it.
  private func isKept(_ other: Issue.Reference, in state: State) -> Bool {
    state.selection == other.number && RepositoryName(state.search.query) == other.repository
      && !state.search.list.items.contains { $0.number == other.number }
  }

  /// Returns whether a name is the searched name, or the current name of the searched repository.
  private func isSearched(_ name: RepositoryName, _ search: PagedSearch<Issue>.State) -> Bool {
    if RepositoryName(search.query) == name { return true }
    return search.query == search.term && search.list.failure == nil
      && search.list.status != .loading(.first) && search.list.items.first?.repository == name
  }
}

/// The route to the open issues of a repository, such as `/issues?q=apple/swift`.
public struct IssuesRoute: Route {
  /// The repository; `nil` for the empty field.
  public let repository: RepositoryName?
  /// The number of the selected issue; `nil` for none.
  public let picked: Int?

  /// Creates a route to the issues of a repository, and optionally to one of them.
  public init(_ repository: RepositoryName? = nil, picked: Int? = nil) {
    self.repository = repository
    self.picked = picked
  }

  /// Parses an address; ignores invalid query values.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil,
      components.path == "/issues"
    else { return nil }
    let value = { (name: String) in components.queryItems?.first { $0.name == name }?.value }
    self.init(
      value("q").flatMap { RepositoryName($0) }, picked: value("issue").flatMap { Int($0) })
  }

  /// The path and the repository's name, which needs no percent-encoding.
  public var address: String {
    guard let repository else { return "/issues" }
    return "/issues?q=\(repository)" + (picked.map { "&issue=\($0)" } ?? "")
  }
}
