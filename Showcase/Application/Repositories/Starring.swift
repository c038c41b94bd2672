public import CurlewScreens
public import Domain

/// The user's stars: which repositories are starred, and a change of each repository's star.
public struct Starring: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// The user stars a repository, or removes the star.
    case star(RepositoryName, isOn: Bool)
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The starred repositories; `nil` until they are loaded, and where starring is not possible.
    public fileprivate(set) var starred: Set<Repository.ID>?
    /// Whether the stars are up to date, or can't be loaded.
    public fileprivate(set) var isReady = false
    fileprivate var changes: [Repository.ID: HostWrite<HostSetting<RepositoryName>>.State] = [:]

    /// Returns whether a repository is starred; `nil` if unknown.
    public func isStarred(_ repository: Repository) -> Bool? {
      starred.map { $0.contains(repository.id) }
    }
  }

  private let host: any CodeHost
  private let setting: HostWrite<HostSetting<RepositoryName>>

  /// Creates a screen for the stars at a host.
  public init(host: any CodeHost) {
    self.host = host
    setting = HostWrite { host.star($0.target, isOn: $0.isOn) }
  }

  /// The initial state: no stars.
  public let initial = State()

  /// The changes of the stars.
  public var parts: [Part<State, Event>] {
    [Part(each: \.changes, setting) { _, change in .star(change.target, isOn: change.isOn) }]
  }

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
    case .star(let name, let isOn):
      if state.changes[name.id] == nil { state.changes[name.id] = setting.initial }
      work.scope(each: \.changes, id: name.id, &state) {
        setting.handle(.init(target: name, isOn: isOn), &$0, &$1)
      }
    }
  }

  /// Reads the stars after a change: the response to a form submission without a script is rendered
  /// before the stream delivers the change.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    if let current = host.starred().current { state.starred = current.ids }
  }
}
