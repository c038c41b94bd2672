/// A screen that reports the status of its loads.
public protocol LoadingScreen<State, Event>: Screen {
  /// Returns the loads of a state, always in the same order; those of its ``Screen/parts`` by
  /// default.
  func loads(in state: State) -> [Load]

  /// Returns the event that retries a failed load; `nil` when only the user can retry it.
  ///
  /// ``ActivityTracking`` sends the event when the error's ``RetryAfterError/retryAfter`` has
  /// passed. By default, the part that contains the load decides.
  func event(retrying load: WorkID) -> Event?
}

extension LoadingScreen {
  /// Returns the loads of the parts.
  public func loads(in state: State) -> [Load] { loadsOfParts(in: state) }

  /// Returns the event of the part that contains the load.
  public func event(retrying load: WorkID) -> Event? { eventOfParts(retrying: load) }
}

extension Screen {
  /// Returns the loads of the parts, for a screen that adds loads of its own, such as its writes.
  ///
  /// ```swift
  /// func loads(in state: State) -> [Load] {
  ///   loadsOfParts(in: state)
  ///     + [Load(name: "save", isLoading: state.isSaving, failure: state.problem)]
  /// }
  /// ```
  public func loadsOfParts(in state: State) -> [Load] { parts.flatMap { $0.loads(state) } }

  /// Returns the event with which the part that contains a load retries it.
  public func eventOfParts(retrying load: WorkID) -> Event? {
    guard let inner = load.parts.first else { return nil }
    var name = load
    name.parts.removeFirst()
    var declared = inner
    declared.element = nil
    return parts.lazy.compactMap { $0.id == declared ? $0.retry(name, inner) : nil }.first
  }
}

/// A screen that only adds something to another one, which is its one part: requests are made for that one.
package protocol WrappingScreen {
  static var wrapped: Any.Type { get }
}

extension ActivityTracking: WrappingScreen {
  package static var wrapped: Any.Type { Content.self }
}

/// Adds an ``Activity`` to a screen: one activity indicator that does not flicker, and alerts that
/// can be dismissed.
///
/// When an error specifies a time to wait (``RetryAfterError``), its alert counts down the seconds,
/// and the load is then retried automatically. The countdown stops when the user dismisses the
/// alert, retries earlier or types another term.
///
/// ```swift
/// let page = ActivityTracking(IssueTracker(trackIssues))
/// ```
public struct ActivityTracking<Content: LoadingScreen>: Screen {
  /// An event of the screen, or the dismissal of an alert.
  public enum Event: Sendable {
    /// An event of the screen.
    case content(Content.Event)
    /// The user dismisses the alert of a load.
    ///
    /// The name may also be created from the description of the load's name.
    case dismiss(WorkID)
  }

  /// The screen's state and its activity.
  public struct State: Equatable, Sendable {
    /// The screen's state.
    public fileprivate(set) var content: Content.State
    /// The combined status of the screen's loads.
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

  /// The screen's initial state, and no activity.
  public var initial: State { State(content: content.initial) }

  /// The screen.
  public var parts: [Part<State, Event>] {
    [Part(\.content, content, event: Event.content), Part(\.activity)]
  }

  /// Handles an event of the screen, or dismisses an alert.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event):
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .dismiss(let name):
      state.activity.dismiss(name)
    }
  }

  /// Updates the activity, and retries the loads that are due.
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
  /// Returns the search.
  public func loads(in state: State) -> [Load] {
    [
      Load(
        name: "search", isLoading: state.isLoading, failure: state.results.failure,
        isSuperseded: state.isSuperseded)
    ]
  }

  /// Returns ``Event/retry``.
  public func event(retrying load: WorkID) -> Event? { .retry }
}

extension Feed: LoadingScreen {
  /// Returns the load of the list's pages.
  public func loads(in state: State) -> [Load] {
    [Load(name: "list", isLoading: state.isLoading, failure: state.failure)]
  }

  /// Returns ``Event/retry``.
  public func event(retrying load: WorkID) -> Event? { .retry }
}

extension Detail: LoadingScreen {
  /// Returns the load of the content.
  public func loads(in state: State) -> [Load] {
    [
      Load(
        name: "detail", isLoading: state.content.isLoading, failure: state.content.failure)
    ]
  }

  /// Returns ``Event/retry``.
  public func event(retrying load: WorkID) -> Event? { .retry }
}
