/// Refreshes a screen automatically when the network is back.
///
/// ```swift
/// let posts = Feed<Post> { key in try await server.posts(at: key) }
/// let page = ActivityTracking(
///   ConnectionTracking(posts, isOffline: { connection.changes }) { list in
///     list.failure == nil ? .refresh : .retry
///   })
/// ```
///
/// When the network is back, the screen receives an event that loads its content again. While the network is
/// unavailable, the screen receives this event after 5, 10, 20 seconds and so on, up to every minute, because
/// only a request may reveal that the network is back. The events stop while nobody observes the screen.
///
/// Background refreshes are silent: until a load ends, ``State/displayed`` and the loads that
/// ``ActivityTracking`` tracks keep the previous state, so that the indicator does not flicker, alerts do not
/// reappear, and screen readers stay quiet. A ``Feed`` reloads all its displayed pages, at most ten, so that no rows
/// disappear. A user's event that changes the state, or waits for the load,
/// displays the current state again.
public struct ConnectionTracking<Content: Screen>: Screen {
  /// The screen's state, and whether the network is unavailable; forwards the members of the displayed state.
  @dynamicMemberLookup
  public struct State: Equatable, Sendable {
    /// The screen's state.
    public fileprivate(set) var content: Content.State
    /// The screen's state as a view shows it: during a background load, the state before the load.
    public var displayed: Content.State { calm?.displayed ?? content }
    /// Whether the network seems to be unavailable.
    public fileprivate(set) var isOffline = false
    /// Whether a refresh is pending because the network came back during a load, which may still fail.
    @Unobserved fileprivate var isOwed = false
    /// The state displayed instead of the content; `nil` to display the content.
    fileprivate var calm: Calm?

    /// Creates the state, online or offline, for a preview or a test.
    public init(content: Content.State, isOffline: Bool = false) {
      (self.content, self.isOffline) = (content, isOffline)
    }

    /// A member of the displayed state.
    public subscript<Value>(dynamicMember member: KeyPath<Content.State, Value>) -> Value {
      displayed[keyPath: member]
    }

    /// A state that stays displayed during a background load, and after the load failed with the same error as
    /// before.
    fileprivate struct Calm: Equatable, Sendable {
      /// The state before the load.
      let displayed: Content.State
      /// The state after the load; `nil` while the load is running.
      var after: Content.State?
    }
  }

  private let content: Content
  private let pauses: ClosedRange<Duration>
  private let refresh: @Sendable (Content.State) -> Content.Event?
  /// Starts observing the network.
  private let follow: @Sendable (Self, inout Work<State>) -> Void

  /// Creates a screen that refreshes another screen when the network is back.
  ///
  /// - Parameters:
  ///   - content: The screen.
  ///   - pauses: The first delay between two attempts while the network is unavailable, and the longest delay.
  ///   - isOffline: A closure that makes a sequence of whether the network is unavailable. Its first element
  ///     should be the current value, because the closure is called again when the screen is resumed.
  ///   - refresh: A closure that returns the event that reloads a state's content, or retries its failed load;
  ///     `nil` when there is nothing to load.
  public init<Flags: AsyncSequence & SendableMetatype>(
    _ content: Content, pauses: ClosedRange<Duration> = .seconds(5) ... .seconds(60),
    isOffline: @escaping @Sendable () async throws -> Flags,
    refresh: @escaping @Sendable (Content.State) -> Content.Event?
  ) where Flags.Element == Bool, Flags.AsyncIterator: SendableMetatype {
    self.content = content
    self.pauses = pauses
    self.refresh = refresh
    follow = { screen, work in
      work.follow("connection", isOffline) { state, isOffline, work in
        screen.change(to: isOffline, &state, &work)
      }
    }
  }

  /// The screen's initial state, online.
  public var initial: State { State(content: content.initial) }

  /// The wrapped screen.
  public var parts: [Part<State, Content.Event>] { [Part(\.content, content)] }

  /// Starts observing the network.
  public func begin(_ state: inout State, _ work: inout Work<State>) { follow(self, &work) }

  /// Handles an event of the screen.
  public func handle(_ event: Content.Event, _ state: inout State, _ work: inout Work<State>) {
    let before = state.content
    if send(event, &state, &work) || state.content != before { state.calm = nil }
  }

  /// Displays the new state after a background load, and refreshes a load that failed although the network is
  /// back.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    let loads = content.loads(in: state.content)
    guard !loads.contains(where: { $0.isLoading }) else { return }
    endCalm(loads, &state)
    guard state.isOwed else { return }
    state.isOwed = false
    if loads.contains(where: { $0.failure != nil }) { refreshCalmly(&state, &work) }
  }

  /// Returns the loads of the displayed state.
  public func loads(in state: State) -> [LoadStatus<Content.Event>] {
    content.loads(in: state.displayed)
  }

  private func change(
    to isOffline: Bool, _ state: inout State, _ work: inout Work<State>
  ) {
    guard isOffline != state.isOffline else { return }
    state.isOffline = isOffline
    if isOffline {
      wait(pauses.lowerBound, &work)
    } else {
      work.cancel(.connectionPause)
      state.isOwed = !refreshCalmly(&state, &work)
    }
  }

  private func wait(_ pause: Duration, _ work: inout Work<State>) {
    work.timer(.connectionPause, after: pause) { state, work in
      refreshCalmly(&state, &work)
      wait(min(pause * 2, pauses.upperBound), &work)
    }
  }

  /// Displays the current content again, unless the background load failed with the same error as before.
  private func endCalm(_ loads: [LoadStatus<Content.Event>], _ state: inout State) {
    guard let calm = state.calm else { return }
    // A failure with a retry time is displayed, because its countdown starts now.
    if calm.after == nil, loads.contains(where: { $0.failure != nil }),
      !loads.contains(where: { $0.failure?.retryAfter != nil }),
      loads.map(\.failure?.message) == content.loads(in: calm.displayed).map(\.failure?.message)
    {
      state.calm?.after = state.content
    } else if calm.after != state.content {
      state.calm = nil
    }
  }

  /// Refreshes the content in the background, unless a load is running; returns whether no load was running.
  @discardableResult
  private func refreshCalmly(_ state: inout State, _ work: inout Work<State>) -> Bool {
    let before = state.content
    guard !content.loads(in: before).contains(where: { $0.isLoading }) else { return false }
    if let event = refresh(before), send(event, inBackground: true, &state, &work) {
      state.calm = State.Calm(displayed: state.calm?.displayed ?? before)
    }
    return true
  }

  /// Lets the screen handle an event; returns whether the event adds work.
  private func send(
    _ event: Content.Event, inBackground: Bool = false, _ state: inout State,
    _ work: inout Work<State>
  ) -> Bool {
    var isWorking = false
    work.scope(\.content) {
      if inBackground { $0.isBackground = true }
      content.handle(event, &state.content, &$0)
      isWorking = !$0.commands.isEmpty
    }
    return isWorking
  }
}

extension WorkID {
  fileprivate static let connectionPause: WorkID = "connection.pause"
}
