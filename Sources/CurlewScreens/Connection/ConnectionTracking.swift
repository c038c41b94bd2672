/// Adds to a screen that it refreshes itself when the network is back.
///
/// ```swift
/// let posts = Feed<Post> { key in try await server.posts(at: key) }
/// let page = ActivityTracking(
///   ConnectionTracking(posts, isOffline: { connection.changes }) { list in
///     list.failure == nil ? .refresh : .retry
///   })
/// ```
///
/// As soon as the network is back, and while it is gone after 5, 10, 20 seconds and so on up to
/// every minute, the screen gets an event that loads its content again: without a request nobody
/// would notice that the network is back. All of that stops while nobody watches the screen.
///
/// These loads are calm: until one has ended, ``State/displayed`` and what ``ActivityTracking`` tracks is
/// the state before it, so that no indicator blinks, no alert goes and comes back, and no screen
/// reader speaks. An event of the user that changes the state, or waits for the load, ends the calm.
public struct ConnectionTracking<Content: Screen>: Screen {
  /// The screen's state, and whether the network is gone; the members of the displayed state are its own, too.
  @dynamicMemberLookup
  public struct State: Equatable, Sendable {
    /// The screen's state.
    public fileprivate(set) var content: Content.State
    /// The screen's state as a view shows it: while a load runs in the background, the one before.
    public var displayed: Content.State { calm?.displayed ?? content }
    /// Whether the network seems to be gone.
    public fileprivate(set) var isOffline = false
    /// Whether the network came back while content was loading, which may still fail.
    @Unobserved fileprivate var isOwed = false
    /// What is shown in place of the content; `nil` for the content itself.
    fileprivate var calm: Calm?

    /// Creates the state with a network, or without one, for a preview or a test.
    public init(content: Content.State, isOffline: Bool = false) {
      (self.content, self.isOffline) = (content, isOffline)
    }

    /// A member of the displayed state.
    public subscript<Value>(dynamicMember member: KeyPath<Content.State, Value>) -> Value {
      displayed[keyPath: member]
    }

    /// A state that is shown while a load runs in the background, and after it has failed as before.
    fileprivate struct Calm: Equatable, Sendable {
      /// The state before the load.
      let displayed: Content.State
      /// The state after the load.
      var after: Content.State?
    }
  }

  private let content: Content
  private let pauses: ClosedRange<Duration>
  private let refresh: @Sendable (Content.State) -> Content.Event?
  /// Follows the network.
  private let follow: @Sendable (Self, inout Work<State>) -> Void

  /// Tracks the network for a screen.
  ///
  /// - Parameters:
  ///   - content: The screen.
  ///   - pauses: The first pause between two tries while the network is gone, and the longest one.
  ///   - isOffline: A closure that makes a sequence of whether the network is gone. Its first element
  ///     should say how it is now, because it is made anew when the screen is resumed.
  ///   - refresh: A closure that returns the event that loads again what a state shows, or what it
  ///     failed to show; `nil` when there is nothing to load.
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

  /// The screen's initial state, with a network.
  public var initial: State { State(content: content.initial) }

  /// The screen.
  public var parts: [Part<State, Content.Event>] { [Part(\.content, content)] }

  /// Begins to follow the network.
  public func begin(_ state: inout State, _ work: inout Work<State>) { follow(self, &work) }

  /// Handles an event of the screen.
  public func handle(_ event: Content.Event, _ state: inout State, _ work: inout Work<State>) {
    let before = state.content
    if send(event, &state, &work) || state.content != before { state.calm = nil }
  }

  /// Ends the calm with the load, and refreshes what failed although the network is back.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    let loads = content.loads(in: state.content)
    guard !loads.contains(where: { $0.isLoading }) else { return }
    endCalm(loads, &state)
    guard state.isOwed else { return }
    state.isOwed = false
    if loads.contains(where: { $0.failure != nil }) { refreshCalmly(&state, &work) }
  }

  /// Returns the screen's loads as they are shown.
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

  /// Shows the content again, unless the load in the background failed as the one before it.
  private func endCalm(_ loads: [LoadStatus<Content.Event>], _ state: inout State) {
    guard let calm = state.calm else { return }
    // A failure that says when to try again is counted down from now on.
    if calm.after == nil, loads.contains(where: { $0.failure != nil }),
      !loads.contains(where: { $0.failure?.retryAfter != nil }),
      loads.map(\.failure?.message) == content.loads(in: calm.displayed).map(\.failure?.message)
    {
      state.calm?.after = state.content
    } else if calm.after != state.content {
      state.calm = nil
    }
  }

  /// Loads the content again, unless it is loading already; returns whether it was not.
  @discardableResult
  private func refreshCalmly(_ state: inout State, _ work: inout Work<State>) -> Bool {
    let before = state.content
    guard !content.loads(in: before).contains(where: { $0.isLoading }) else { return false }
    if let event = refresh(before), send(event, &state, &work) {
      state.calm = State.Calm(displayed: state.calm?.displayed ?? before)
    }
    return true
  }

  /// Lets the screen handle an event; returns whether that adds work.
  private func send(
    _ event: Content.Event, _ state: inout State, _ work: inout Work<State>
  ) -> Bool {
    var isWorking = false
    work.scope(\.content) {
      content.handle(event, &state.content, &$0)
      isWorking = !$0.commands.isEmpty
    }
    return isWorking
  }
}

extension WorkID {
  fileprivate static let connectionPause: WorkID = "connection.pause"
}
