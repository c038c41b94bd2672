/// A screen that tells which work of it goes on, and which failed.
public protocol LoadingScreen<State, Event>: Screen {
  /// Returns the loads of a state, always in the same order; those of its ``Screen/parts`` by
  /// default.
  func loads(in state: State) -> [Load]

  /// Returns the event that tries a load again which failed; ``ActivityTracking`` sends it by itself when
  /// the time is over that the error has said. With `nil` it is left to the user. By default, the
  /// part that the load is in decides.
  func event(retrying load: WorkID) -> Event?
}

extension LoadingScreen {
  /// The loads of the parts.
  public func loads(in state: State) -> [Load] { loadsOfParts(in: state) }

  /// Leaves it to the part that the load is in, or to the user.
  public func event(retrying load: WorkID) -> Event? { eventOfParts(retrying: load) }
}

extension Screen {
  /// Returns the loads of the parts, for a screen that has others besides, such as its writes.
  ///
  /// ```swift
  /// func loads(in state: State) -> [Load] {
  ///   loadsOfParts(in: state)
  ///     + [Load(name: "save", isLoading: state.isSaving, failure: state.problem)]
  /// }
  /// ```
  public func loadsOfParts(in state: State) -> [Load] { parts.flatMap { $0.loads(state) } }

  /// Returns the event with which the part that a load is in tries it again.
  public func eventOfParts(retrying load: WorkID) -> Event? {
    guard let inner = load.parts.first else { return nil }
    var name = load
    name.parts.removeFirst()
    var place = inner
    place.element = nil
    return parts.lazy.compactMap { $0.id == place ? $0.retry(name, inner) : nil }.first
  }
}

/// A screen with its ``Activity``: a page-wide indicator, calm, and errors that can be dismissed.
///
/// Where an error says when to try again (``RetryAfterError``), its alert counts the seconds down,
/// and then the screen tries again by itself. Dismissing the alert, trying again earlier and typing
/// another term end the countdown.
///
/// ```swift
/// let page = ActivityTracking(IssueTracker(trackIssues))
/// ```
public struct ActivityTracking<Content: LoadingScreen>: Screen {
  /// What happens on the screen or to its errors.
  public enum Event: Sendable {
    /// Something happened on the screen.
    case content(Content.Event)
    /// The user has seen the error of a load; its name may be one made of the text of the load's
    /// name.
    case dismiss(WorkID)
  }

  /// The screen's state with its activity.
  public struct State: Equatable, Sendable {
    /// What the screen shows.
    public fileprivate(set) var content: Content.State
    /// What goes on behind it.
    public fileprivate(set) var activity = Activity()
  }

  /// The screen.
  public let content: Content
  private let timing: IndicatorTiming

  /// Tracks a screen's loads.
  public init(_ content: Content, timing: IndicatorTiming = IndicatorTiming()) {
    self.content = content
    self.timing = timing
  }

  /// The screen untouched, and nothing going on.
  public var initial: State { State(content: content.initial) }

  /// The screen.
  public var parts: [Part<State, Event>] { [Part(\.content, content, event: Event.content)] }

  /// Handles what happens.
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
    let loads = content.loads(in: state.content)
    var due: [WorkID] = []
    work.scope(\.activity) { due = state.activity.update(loads, timing, &$0) }
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
  public func event(retrying load: WorkID) -> Event? { .retry }
}

extension Feed: LoadingScreen {
  /// The page that is loaded.
  public func loads(in state: State) -> [Load] {
    [Load(name: "list", isLoading: state.isLoading, failure: state.failure)]
  }

  /// Loads again what failed.
  public func event(retrying load: WorkID) -> Event? { .retry }
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
  public func event(retrying load: WorkID) -> Event? { .retry }
}
