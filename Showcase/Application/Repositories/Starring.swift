public import CurlewScreens
public import Domain

/// Adds the user's stars to a screen of repositories: which repositories are starred, and changes
/// of the stars.
public struct Starring<Content: Screen>: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// An event of the screen without stars.
    case content(Content.Event)
    /// The user stars a repository, or removes the star.
    case star(RepositoryName, isOn: Bool)
    /// The user retries the last rejected change.
    case retryStar
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The state of the screen without stars.
    public fileprivate(set) var content: Content.State
    /// The starred repositories; `nil` until they are loaded, and where starring is not possible.
    public fileprivate(set) var starred: Set<Repository.ID>?
    /// Whether the stars are up to date, or can't be loaded.
    public fileprivate(set) var isReady = false
    fileprivate var changes = HostChanges<RepositoryName>()

    /// Returns whether a repository is starred; `nil` if unknown.
    public func isStarred(_ repository: Repository) -> Bool? {
      starred.map { $0.contains(repository.id) }
    }
  }

  let content: Content
  private let host: any CodeHost

  /// Creates a screen that adds the stars at a host to another screen.
  public init(_ content: Content, host: any CodeHost) {
    (self.content, self.host) = (content, host)
  }

  /// The initial state: the screen's initial state, and no stars.
  public var initial: State { State(content: content.initial) }

  /// The screen.
  public var parts: [Part<State, Event>] { [Part(\.content, content, event: Event.content)] }

  /// Observes the stars, which other screens may change.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    let starred = host.starred()
    if let current = starred.current { state.starred = current.ids }
    // The current value may be outdated, so the first up-to-date value is awaited. This is a load,
    // because pages without a script wait for loads, but not for streams.
    work.latest("stars") {
      for try await stars in starred where !stars.isLoading { return stars }
      return Stars(nil)
    } finished: { state, result, _ in
      state.isReady = true
      if case .success(let stars) = result { state.starred = stars.ids }
    }
    work.follow("starred") {
      starred
    } each: { state, stars, _ in
      state.starred = stars.ids
    }
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event):
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .star(let name, let isOn): star(name, isOn, &state, &work)
    case .retryStar:
      if let refused = state.changes.refused {
        star(refused.target, refused.isOn, &state, &work)
      }
    }
  }

  /// The loads of the screen, and the changes of stars.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    loadsOfParts(in: state) + [state.changes.load(retry: .retryStar)]
  }

  private func star(
    _ name: RepositoryName, _ isOn: Bool, _ state: inout State, _ work: inout Work<State>
  ) {
    let change = HostChanges.Change(target: name, isOn: isOn)
    let write = host.star(name, isOn: isOn)
    state.changes.begin(change.target)
    work.write(
      "star \(name)", begin: write.begin, write.finish,
      finished: { [host] state, result, _ in
        // The response to a form submission without a script is rendered before the stream delivers
        // the change.
        if let current = host.starred().current { state.starred = current.ids }
        state.changes.end(change, result)
      })
  }
}

extension Starring where Content == Repositories {
  /// Creates a list of a host's repositories with the user's stars.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    self.init(Repositories(host: host, recent: recent), host: host)
  }
}

extension Starring where Content == RepositoryDetail {
  /// Creates a screen for the repositories of a host with the user's stars.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    self.init(RepositoryDetail(host: host, recent: recent), host: host)
  }
}
