public import CurlewScreens
public import Domain

/// A watched repository: its open issues, and above them each newly opened issue.
public struct Watch: Screen {
  /// The events of the screen.
  public enum Event: Sendable, Equatable {
    /// The user types a repository's name.
    case term(String)
    /// The user submits the text, without waiting for the debounce.
    case submit
    /// The user pauses the updates.
    case pause
    /// The user resumes after a pause: the issues opened meanwhile arrive immediately.
    case resume
    /// The user retries after an error.
    case retry
  }

  /// The maximum number of issues shown, newest first.
  public static let most = 100
  /// The debounce interval after which a typed repository is looked up.
  public static let quietTime = Duration.milliseconds(500)

  private let host: any CodeHost

  /// Creates a screen that watches the repositories of a host.
  public init(host: any CodeHost) {
    self.host = host
  }

  /// The initial state: no repository is watched.
  public var initial: State { State() }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(let text):
      state.text = text
      lookUp(after: Self.quietTime, &state, &work)
    case .submit: lookUp(after: .zero, &state, &work)
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
        lookUp(for: name, after: .zero, &work)
      }
    }
  }

  /// The lookup of the repository, and the stream of events.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .lookup, isLoading: state.phase == .lookingUp, failure: state.phase.failure,
        retry: .retry
      )
    ]
  }

  // MARK: Work

  /// Looks up the typed repository, unless it is already watched.
  private func lookUp(after delay: Duration, _ state: inout State, _ work: inout Work<State>) {
    guard let name = RepositoryName(state.text) else {
      work.cancel(.lookup)
      work.cancel(.watch)
      state = State(text: state.text)
      return
    }
    let isWanted = delay == .zero && state.phase.failure != nil || state.phase == .lookingUp
    if name != state.typed || isWanted {
      lookUp(for: name, after: delay, &work)
    } else {
      work.cancel(.lookup)
    }
  }

  /// Looks up a repository, and keeps watching the current repository until the lookup ends.
  private func lookUp(for name: RepositoryName, after delay: Duration, _ work: inout Work<State>) {
    work.latest(.lookup, after: delay) { [host] in
      guard let repository = try await host.repository(named: name) else {
        return (name: name, issues: Listing<Issue>?.none)
      }
      // Both requests are cancelled together: a late response must not start the second request.
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

  /// Follows the events after the last received position.
  private func follow(
    _ name: RepositoryName, _ state: inout State, _ work: inout Work<State>
  ) {
    state.phase = .following
    work.follow(.watch) { [host, position = state.position] in
      // Read for each start, because the runner restarts the stream when the view reappears.
      host.openedIssues(of: name, after: position.value)
    } each: { state, event, _ in
      state.add(event)
    } ended: { state, result, _ in
      // Another repository may already be looked up.
      guard state.phase == .following else { return }
      switch result {
      case .success: state.phase = .ended
      case .failure(let error): state.phase = .failed(LoadFailure(error))
      }
    }
  }
}

extension WorkID {
  fileprivate static let lookup: WorkID = "lookup"
  fileprivate static let watch: WorkID = "watch"
}
