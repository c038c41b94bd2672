/// Adds a ``ScreenActivity`` to a screen: one activity indicator that does not flicker, and alerts that
/// can be dismissed.
///
/// When an error specifies a time to wait (`RetryAfterError`), its alert counts down the seconds,
/// and the load is then retried automatically. The countdown stops when the user dismisses the
/// alert, retries earlier or types another term.
///
/// ```swift
/// let page = ActivityTracking(IssueTracker(trackIssues))
/// ```
public struct ActivityTracking<Content: Screen>: WrappingScreen {
  /// An event of the screen, or the dismissal of an alert.
  public enum Event: Sendable {
    /// An event of the screen.
    case content(Content.Event)
    /// The user dismisses an alert; does nothing if it is no longer shown.
    case dismiss(ScreenActivity.Alert.ID)
    /// The user retries the failed load of an alert; a load that can't be retried is only dismissed. Does nothing
    /// if the alert is no longer shown.
    case retry(ScreenActivity.Alert.ID)
  }

  /// The tracked screen.
  public typealias Wrapped = Content

  /// Returns the event of the screen.
  public static func event(_ event: Content.Event) -> Event { .content(event) }

  /// The screen's state and its activity; forwards the members of the screen's state.
  @dynamicMemberLookup
  public struct State: Equatable, Sendable {
    /// The screen's state.
    public fileprivate(set) var content: Content.State
    /// The combined status of the screen's loads.
    public fileprivate(set) var activity = ScreenActivity()

    /// Creates the state without activity, for a preview or a test.
    public init(content: Content.State) { self.content = content }

    /// A member of the screen's state.
    public subscript<Value>(dynamicMember member: KeyPath<Content.State, Value>) -> Value {
      content[keyPath: member]
    }
  }

  private let content: Content
  private let delay: Duration
  private let minimum: Duration

  /// Creates a screen that tracks another screen's loads.
  ///
  /// The delay and the minimum time keep the indicator from flickering: fast loads show no indicator,
  /// and a visible indicator stays long enough to be noticed.
  ///
  /// - Parameters:
  ///   - content: The screen.
  ///   - delay: The time that loading must take before the indicator appears: by default 200 ms, which
  ///     a user perceives as immediate.
  ///   - minimum: The minimum time that the indicator stays visible: half a second by default.
  public init(
    _ content: Content, indicatorDelay delay: Duration = .milliseconds(200),
    minimumIndicatorTime minimum: Duration = .milliseconds(500)
  ) {
    self.content = content
    self.delay = delay
    self.minimum = minimum
  }

  /// The wrapped screen's initial state, without activity.
  public var initial: State { State(content: content.initial) }

  /// The wrapped screen and the activity.
  public var parts: [Part<State, Event>] {
    [Part(\.content, content, event: Event.content), Part(\.activity)]
  }

  /// Handles an event of the screen, or dismisses an alert.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event):
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .dismiss(let id):
      state.activity.dismiss(id)
    case .retry(let id):
      guard let alert = state.activity.dismiss(id) else { return }
      let load = content.loads(in: state.content).first { $0.name == alert.name }
      guard let event = load?.retry else { return }
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    }
  }

  /// Updates the activity, and retries the loads that are due.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    let loads = content.loads(in: state.content)
    var due: [Content.Event] = []
    work.scope(\.activity) {
      due = state.activity.update(loads, delay: delay, minimum: minimum, &$0)
    }
    for event in due {
      work.scope(\.content) { content.handle(event, &state.content, &$0) }
    }
  }
}
