public import CurlewScreens
public import Domain

/// Adds the user's stars to a screen of repositories: which of them have one, and how to set it.
public struct Starring<Content: Screen>: Screen {
  /// What happens on the screen.
  public enum Event: Sendable {
    /// Something happened on the screen without stars.
    case content(Content.Event)
    /// The user marks a repository with a star, or removes the star.
    case star(RepositoryName, isOn: Bool)
    /// The user tries again what was refused last.
    case retryStar
  }

  /// What the screen shows.
  public struct State: Equatable, Sendable {
    /// The screen without stars.
    public fileprivate(set) var content: Content.State
    /// The repositories with a star; `nil` while they are not known, and where no star can be set.
    public fileprivate(set) var starred: Set<Repository.ID>?
    /// Whether the stars are up to date, or can't be loaded.
    public fileprivate(set) var isReady = false
    fileprivate var changes = HostChanges<RepositoryName>()

    /// Returns whether a repository has a star; `nil` when that is not known.
    public func isStarred(_ repository: Repository) -> Bool? {
      starred.map { $0.contains(repository.id) }
    }
  }

  let content: Content
  private let host: any CodeHost

  /// Adds the stars that a host knows to a screen.
  public init(_ content: Content, host: any CodeHost) {
    (self.content, self.host) = (content, host)
  }

  /// The screen's initial state, and no stars.
  public var initial: State { State(content: content.initial) }

  /// The screen.
  public var parts: [Part<State, Event>] { [Part(\.content, content, event: Event.content)] }

  /// Follows the stars, which may change on other screens.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    let starred = host.starred()
    if let current = starred.current { state.starred = current.ids }
    // What is known now may be out of date, which the sequence decides. It is a load, because a page without a script
    // waits for loads, and not for streams.
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

  /// Handles what happens on the screen.
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

  /// The loads of the screen, and the stars that are set.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    loadsOfParts(in: state) + [state.changes.load(retry: .retryStar)]
  }

  private func star(
    _ name: RepositoryName, _ isOn: Bool, _ state: inout State, _ work: inout Work<State>
  ) {
    let change = HostChanges.Change(target: name, isOn: isOn)
    let (number, write) = (state.changes.begin(change), host.star(name, isOn: isOn))
    work.write(
      "star \(name)", begin: write.begin, write.finish,
      finished: { [host] state, result, _ in
        // The response to a form without a script is made before the stream has it.
        if let current = host.starred().current { state.starred = current.ids }
        state.changes.end(change, number, result)
      })
  }
}

extension Starring where Content == Repositories {
  /// Lists the repositories of a host, with the user's stars.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    self.init(Repositories(host: host, recent: recent), host: host)
  }
}

extension Starring where Content == RepositoryDetail {
  /// Shows the repositories of a host, with the user's stars.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    self.init(RepositoryDetail(host: host, recent: recent), host: host)
  }
}

extension Starring: RefreshableScreen where Content: RefreshableScreen {
  /// Loads the screen's content again.
  public func event(refreshing state: State) -> Event? {
    content.event(refreshing: state.content).map { .content($0) }
  }
}
