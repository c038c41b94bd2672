/// A screen that tells which work of it goes on, and which failed.
public protocol LoadingScreen<State, Event>: Screen {
  /// Returns the loads of a state, always in the same order.
  func loads(in state: State) -> [Load]

  /// Returns the event that tries a load again which failed; ``Tracked`` sends it by itself when the
  /// time is over that the error has said. `nil`, unless a screen says otherwise: then it is left to
  /// the person.
  func event(retrying load: String) -> Event?
}

extension LoadingScreen {
  /// Leaves it to the person to try again.
  public func event(retrying load: String) -> Event? { nil }
}

/// A screen with its ``Activity``: a page-wide indicator, calm, and errors that can be dismissed.
///
/// Where an error says when to try again (``PostponedError``), its alert counts the seconds down, and
/// then the screen tries again by itself. Dismissing the alert, trying again earlier and typing another
/// term end the countdown.
///
/// ```swift
/// let page = Tracked(IssueTracker(trackIssues))
/// ```
public struct Tracked<Content: LoadingScreen>: Screen {
  /// What happens on the screen or to its errors.
  public enum Event: Sendable {
    /// Something happened on the screen.
    case content(Content.Event)
    /// The person has seen the error of a load.
    case dismiss(String)
  }

  /// The screen's state with its activity.
  public struct State: Equatable, Sendable {
    /// What the screen shows.
    public fileprivate(set) var content: Content.State
    /// What goes on behind it.
    public fileprivate(set) var activity = Activity()
    /// The screen's state as the screen has followed it: the indicator's changes are not its own.
    fileprivate var followed: Content.State
  }

  /// The screen.
  public let content: Content
  private let calm: CalmLoading

  /// Tracks a screen's loads.
  public init(_ content: Content, calm: CalmLoading = CalmLoading()) {
    self.content = content
    self.calm = calm
  }

  /// The screen untouched, and nothing going on.
  public var initial: State {
    let initial = content.initial
    return State(content: initial, followed: initial)
  }

  /// Answers what happens.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event):
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .dismiss(let name):
      state.activity.dismiss(name)
    }
  }

  /// Follows the loads of the screen.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    if state.content != state.followed {
      state.followed = state.content
      work.scope(\.content) { content.stateDidChange(&state.content, &$0) }
    }
    let loads = content.loads(in: state.content)
    var due: [String] = []
    work.scope(\.activity) { due = state.activity.update(loads, calm, &$0) }
    for load in due {
      guard let event = content.event(retrying: load) else { continue }
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    }
  }
}

extension Search: LoadingScreen {
  /// The search.
  public func loads(in state: State) -> [Load] {
    [
      Load(
        name: "search", isLoading: state.isLoading, failure: state.results.failure,
        isSuperseded: state.isSuperseded)
    ]
  }

  /// Searches again.
  public func event(retrying load: String) -> Event? { .retry }
}

extension Feed: LoadingScreen {
  /// The page that is loaded.
  public func loads(in state: State) -> [Load] {
    [Load(name: "list", isLoading: state.isLoading, failure: state.failure)]
  }

  /// Loads again what failed.
  public func event(retrying load: String) -> Event? { .retry }
}

extension Detail: LoadingScreen {
  /// The thing that is shown.
  public func loads(in state: State) -> [Load] {
    [
      Load(
        name: "detail", isLoading: state.content.isLoading, failure: state.content.failure)
    ]
  }

  /// Loads it again.
  public func event(retrying load: String) -> Event? { .retry }
}
