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
    fileprivate var refused: Refused?

    /// Returns whether a repository has a star; `nil` when that is not known.
    public func isStarred(_ repository: Repository) -> Bool? {
      starred.map { $0.contains(repository.id) }
    }
  }

  /// A star that the host refused to set or to remove.
  fileprivate struct Refused: Equatable {
    let name: RepositoryName
    let isOn: Bool
    let failure: LoadFailure
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
    if let current = starred.current {
      state.starred = current
    } else {
      // A load, which a page without a script waits for; a stream may never bring anything.
      work.latest("stars") {
        for try await first in starred { return first }
        return nil
      } finished: { state, result, _ in
        if case .success(let first?) = result { state.starred = first }
      }
    }
    work.follow("starred") {
      starred
    } each: { state, starred, _ in
      state.starred = starred
    }
  }

  /// Handles what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event):
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .star(let name, let isOn): star(name, isOn, &state, &work)
    case .retryStar:
      if let refused = state.refused { star(refused.name, refused.isOn, &state, &work) }
    }
  }

  /// The loads of the screen, and the last star: it shows no indicator, because it is shown at once itself.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    loadsOfParts(in: state) + [
      LoadStatus(
        name: .change, isLoading: false, failure: state.refused?.failure, retry: .retryStar)
    ]
  }

  private func star(
    _ name: RepositoryName, _ isOn: Bool, _ state: inout State, _ work: inout Work<State>
  ) {
    state.refused = nil
    work.write("star \(name)") { [host] in
      try await host.star(name, isOn: isOn)
    } finished: { [host] state, result, _ in
      // As it is now, also for who looks at once.
      if let current = host.starred().current { state.starred = current }
      if case .failure(let error) = result {
        state.refused = Refused(name: name, isOn: isOn, failure: LoadFailure(error))
      }
    }
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

extension WorkID {
  /// The name of what the user changes at a host, among a screen's loads.
  public static let change: WorkID = "change"
}
