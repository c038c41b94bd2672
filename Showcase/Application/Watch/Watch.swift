public import CurlewScreens
public import Domain

/// A repository that is watched: its open issues, and on top of them each one that is opened.
public struct Watch: Screen {
  /// What happens on the screen.
  public enum Event: Sendable, Equatable {
    /// The user types a repository's name.
    case term(String)
    /// The user wants what is typed at once.
    case submit
    /// The user wants to see no more for now.
    case pause
    /// The user goes on after a pause: what was opened meanwhile comes at once.
    case resume
    /// The user tries again after an error.
    case retry
  }

  /// The issues and their number are those of this many of the newest.
  public static let most = 100
  /// The time without typing after which a repository is looked for.
  public static let quietTime = Duration.milliseconds(500)

  private let host: any CodeHost

  /// Watches the repositories of a host.
  public init(host: any CodeHost) {
    self.host = host
  }

  /// Nothing is watched.
  public var initial: State { State() }

  /// Handles what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(let text):
      state.text = text
      look(after: Self.quietTime, &state, &work)
    case .submit: look(after: .zero, &state, &work)
    case .pause:
      guard state.phase == .following else { return }
      work.cancel(.watch)
      state.phase = .paused
    case .resume:
      guard let name = state.repository, [.paused, .ended].contains(state.phase) else { return }
      follow(name, &state, &work)
    case .retry:
      guard let name = state.repository, state.phase.failure != nil else { return }
      if state.isLoaded {
        follow(name, &state, &work)
      } else {
        look(for: name, after: .zero, &work)
      }
    }
  }

  /// The search for the repository, and the events.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .look, isLoading: state.phase == .looking, failure: state.phase.failure, retry: .retry
      )
    ]
  }

  // MARK: Work

  /// Looks for the repository that is typed, unless it is the one that is watched.
  private func look(after delay: Duration, _ state: inout State, _ work: inout Work<State>) {
    guard let name = RepositoryName(state.text) else {
      work.cancel(.look)
      work.cancel(.watch)
      state = State(text: state.text)
      return
    }
    let isWanted = delay == .zero && state.phase.failure != nil || state.phase == .looking
    if name != state.typed || isWanted {
      look(for: name, after: delay, &work)
    } else {
      work.cancel(.look)
    }
  }

  /// Looks for a repository; what is watched goes on until it is there.
  private func look(for name: RepositoryName, after delay: Duration, _ work: inout Work<State>) {
    work.latest(.look, after: delay) { [host] in
      guard let repository = try await host.repository(named: name) else {
        return (name: name, issues: Listing<Issue>?.none)
      }
      // The chain is cancelled as one: a response that comes too late starts nothing.
      try Task.checkCancellation()
      return (repository.name, try await host.openIssues(of: repository, page: 1))
    } started: { state in
      state.begin(name)
    } finished: { state, result, work in
      work.cancel(.watch)
      switch result {
      case .success((let name, let issues?)):
        state.show(issues, of: name)
        follow(name, &state, &work)
      case .success: state.phase = .missing
      case .failure(let error): state.phase = .failed(LoadFailure(error))
      }
    }
  }

  /// Follows the events from where they were left.
  private func follow(
    _ name: RepositoryName, _ state: inout State, _ work: inout Work<State>
  ) {
    state.phase = .following
    work.follow(.watch) { [host, position = state.position] in
      // Read each time: the runner begins again by itself when the view comes back.
      host.openedIssues(of: name, after: position.value)
    } each: { state, event, _ in
      state.add(event)
    } ended: { state, result, _ in
      // Another repository may be looked for already.
      guard state.phase == .following else { return }
      switch result {
      case .success: state.phase = .ended
      case .failure(let error): state.phase = .failed(LoadFailure(error))
      }
    }
  }
}

extension WorkID {
  fileprivate static let look: WorkID = "look"
  fileprivate static let watch: WorkID = "watch"
}
