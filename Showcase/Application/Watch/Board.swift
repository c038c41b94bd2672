public import CurlewScreens
public import Domain

/// A public board: the newest issues of all repositories, as they are opened.
public struct Board: Screen {
  /// The events of the screen.
  public enum Event: Sendable, Equatable {
    /// The user retries after an error.
    case retry
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The newest issues first, at most ``Board/most``.
    public private(set) var issues: [Issue] = []
    /// Whether the first issue after the start or a retry is awaited.
    public fileprivate(set) var isLoading = false
    /// Whether an entry of the stream could not be read.
    public private(set) var isDamaged = false
    /// The reason why the stream failed; the stream is read again after a pause.
    public fileprivate(set) var failure: LoadFailure?

    /// Inserts an issue at the top, once: each stream begins with the newest issues.
    fileprivate mutating func add(_ event: IssueEvent) {
      (isLoading, failure) = (false, nil)
      guard case .opened(let issue) = event.content else {
        isDamaged = true
        return
      }
      guard !issues.contains(where: { $0.reference == issue.reference }) else { return }
      issues = Array(([issue] + issues).prefix(Board.most))
    }
  }

  /// The maximum number of issues shown.
  public static let most = 20

  private let host: any CodeHost

  /// Creates a board of a host's repositories.
  public init(host: any CodeHost) {
    self.host = host
  }

  /// The initial state: no issue is known.
  public var initial: State { State() }

  /// Begins to follow the stream.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    follow(&state, &work)
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    if state.failure != nil { follow(&state, &work) }
  }

  /// The stream of issues.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .board, isLoading: state.isLoading, failure: state.failure, retry: .retry)
    ]
  }

  private func follow(_ state: inout State, _ work: inout Work<State>) {
    (state.isLoading, state.failure) = (true, nil)
    work.follow(.board, reconnecting: .seconds(1) ... .seconds(60)) { [host] in
      host.openedIssues()
    } each: { state, event, _ in
      state.add(event)
    } ended: { state, result, work in
      guard case .failure(let error) = result else { return }
      (state.isLoading, state.failure) = (false, LoadFailure(error))
      // Such a host will never have a stream.
      if error is UnwatchableHost { work.cancel(.board) }
    }
  }
}

extension WorkID {
  fileprivate static let board: WorkID = "board"
}
