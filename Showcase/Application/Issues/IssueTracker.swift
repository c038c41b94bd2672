public import CurlewScreens
public import Domain
import Foundation

/// The issue tracker: a field for a repository's name, its open issues, and the one that is picked.
public struct IssueTracker: Screen {
  /// What happens on the tracker.
  public enum Event: Sendable {
    /// Something happened to the search.
    case search(PagedSearch<Issue>.Event)
    /// The user picked an issue by its number, in a repository whose issues were shown; without a
    /// name, in what is searched.
    case pick(Int, of: RepositoryName? = nil)
    /// The user is done with the picked issue.
    case close
    /// The user closes an issue at its host, or reopens it; without a reference, the picked one.
    case change(Issue.Reference? = nil, isOpen: Bool)
    /// The user tries the last change again, which was refused.
    case retryChange
  }

  /// What the tracker shows.
  public struct State: Equatable, Sendable {
    /// The field and the issues.
    public fileprivate(set) var search: PagedSearch<Issue>.State
    /// The issue that was picked and is in no list: an old one, or a closed one.
    public fileprivate(set) var other: Detail<Issue.Reference, Never, Issue>.State
    /// The number that was picked.
    public fileprivate(set) var selection: Int?
    /// The issues that were picked since the screen was opened.
    fileprivate var read: Set<Issue.Reference> = []
    /// Whether issues are open that were closed or reopened on any screen; `nil` where that can't be done.
    fileprivate var changed: [Issue.Reference: Bool]?
    fileprivate var changes = HostChanges<Issue.Reference>()

    /// Creates a state.
    public init(
      search: PagedSearch<Issue>.State,
      other: Detail<Issue.Reference, Never, Issue>.State = .init()
    ) {
      (self.search, self.other) = (search, other)
    }

    /// The issues that are listed and still open.
    public var issues: [Issue] {
      let items = search.list.items
      return changed?.isEmpty ?? true ? items : items.filter { isOpen($0) }
    }

    /// The issue that was picked, as soon as it is there.
    public var picked: Issue? {
      selection.flatMap { number in
        search.list.items.first { $0.number == number }
          ?? other.content.latest.flatMap { $0.number == number ? $0 : nil }
      }
    }

    /// Returns whether an issue is open, as far as is known here.
    public func isOpen(_ issue: Issue) -> Bool { changed?[issue.reference] ?? issue.isOpen }

    /// Whether the user can close and reopen issues.
    public var canChange: Bool { changed != nil }

    /// Returns whether an issue was picked before, or is.
    public func isRead(_ issue: Issue) -> Bool { read.contains(issue.reference) }

    /// How many of the listed issues were not.
    public var unread: Int { issues.count { !isRead($0) } }
  }

  /// What to type while the text is not a repository's name yet.
  public static let hint = "Type a repository as owner/name, for example apple/swift."

  let search: PagedSearch<Issue>
  let other: Detail<Issue.Reference, Never, Issue>
  private let host: any CodeHost

  /// Tracks issues by a use case.
  public init(_ trackIssues: TrackIssues) {
    host = trackIssues.host
    search = PagedSearch(
      debounce: .milliseconds(500), hint: { RepositoryName($0) == nil ? Self.hint : nil }
    ) { text, key in
      guard let name = RepositoryName(text) else { return Page([]) }
      return try await trackIssues(name, page: key?.number ?? 1).page
    }
    other = Detail(load: { try await trackIssues.issue($0.number, of: $0.repository) })
  }

  /// An empty field.
  public var initial: State { State(search: search.initial, other: other.initial) }

  /// Follows what is closed and reopened on other screens.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    let changes = host.changedIssues()
    state.changed = changes.current
    work.follow("changed") {
      changes
    } each: { state, changed, _ in
      state.changed = changed
    }
  }

  /// The search.
  public var parts: [Part<State, Event>] { [Part(\.search, search, event: Event.search)] }

  /// Handles what happens on the tracker.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .search(let event):
      let query = state.search.query
      work.scope(\.search) { search.handle(event, &state.search, &$0) }
      // A number means another issue, or none, in another repository.
      if state.search.query != query { state.selection = nil }
    case .pick(let number, let name):
      if let name, !isSearched(name, state.search) {
        // What was typed since the list was shown is given up with the list that it would bring.
        work.scope(\.search) { search.handle(.term("\(name)"), &state.search, &$0) }
        if state.search.term != state.search.query {
          work.scope(\.search) { search.handle(.submit(), &state.search, &$0) }
        }
      }
      state.selection = number
      // Picked again after a failure.
      work.scope(\.other) { other.handle(.retry, &state.other, &$0) }
    case .close: state.selection = nil
    case .change(let issue, let isOpen):
      if let issue = issue ?? state.picked?.reference {
        change(issue, isOpen: isOpen, &state, &work)
      }
    case .retryChange:
      if let refused = state.changes.refused {
        change(refused.target, isOpen: refused.isOn, &state, &work)
      }
    }
  }

  /// The search, and what is closed and reopened.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    loadsOfParts(in: state) + [state.changes.load(retry: .retryChange)]
  }

  private func change(
    _ issue: Issue.Reference, isOpen: Bool, _ state: inout State, _ work: inout Work<State>
  ) {
    let change = HostChanges.Change(target: issue, isOn: isOpen)
    let (number, write) = (state.changes.begin(change), host.change(issue, isOpen: isOpen))
    work.write(
      "change \(issue.repository) \(issue.number)", begin: write.begin, write.finish,
      finished: { [host] state, result, _ in
        // The response to a form without a script is made before the stream has it.
        if let current = host.changedIssues().current { state.changed = current }
        state.changes.end(change, number, result)
      })
  }

  /// Loads what is picked when it is in no list, and marks it as read as soon as it is there.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    let missing = missing(in: state)
    if let missing, missing != state.other.id {
      work.scope(\.other) { other.handle(.show(missing), &state.other, &$0) }
    } else if let loaded = state.other.id, missing == nil, !isKept(loaded, in: state) {
      work.scope(\.other) { other.handle(.clear, &state.other, &$0) }
    }
    if let picked = state.picked { state.read.insert(picked.reference) }
  }

  /// What is picked, if the list is complete as far as it is known, and does not have it.
  private func missing(in state: State) -> Issue.Reference? {
    let search = state.search
    guard let number = state.selection, search.query == search.term,
      !search.list.isLoading(.first), search.list.failure == nil,
      !search.list.items.contains(where: { $0.number == number }),
      let name = search.list.items.first?.repository ?? RepositoryName(search.query)
    else { return nil }
    return Issue.Reference(name, number)
  }

  /// Whether what was loaded stays, though a list that fails or is loaded again says nothing of it.
  private func isKept(_ other: Issue.Reference, in state: State) -> Bool {
    state.selection == other.number && RepositoryName(state.search.query) == other.repository
      && !state.search.list.items.contains { $0.number == other.number }
  }

  /// Whether a repository is what the field says, by this name or by another one that it has.
  private func isSearched(_ name: RepositoryName, _ search: PagedSearch<Issue>.State) -> Bool {
    if RepositoryName(search.query) == name { return true }
    return search.query == search.term && search.list.failure == nil
      && !search.list.isLoading(.first) && search.list.items.first?.repository == name
  }
}

/// Leads to the open issues of a repository: `/issues?q=apple/swift`.
public struct IssuesRoute: Route {
  /// The repository; `nil` leads to the empty field.
  public let repository: RepositoryName?
  /// The number of the issue to read; `nil` for none.
  public let picked: Int?

  /// Leads to the issues of a repository, and to one of them.
  public init(_ repository: RepositoryName? = nil, picked: Int? = nil) {
    self.repository = repository
    self.picked = picked
  }

  /// Reads an address; what is unknown in its query is left out.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil,
      components.path == "/issues"
    else { return nil }
    let value = { (name: String) in components.queryItems?.first { $0.name == name }?.value }
    self.init(
      value("q").flatMap { RepositoryName($0) }, picked: value("issue").flatMap { Int($0) })
  }

  /// The path, and the name of the repository, of which nothing needs to be encoded.
  public var address: String {
    guard let repository else { return "/issues" }
    return "/issues?q=\(repository)" + (picked.map { "&issue=\($0)" } ?? "")
  }
}
