public import Observation

/// A running screen for a view: SwiftUI and UIKit read ``state`` and call `send(_:)`.
///
/// ```swift
/// @State private var model = ScreenModel(tracker)
///
/// List(model.state.items) { … }.searchable(text: $text)
///   .onChange(of: text) { model.send(.term(text)) }
///   .task { await model.run() }
/// ```
///
/// The state changes only on the main actor: `send(_:)` updates it before it returns, and the
/// results of work are applied there.
///
/// The model forwards the members of its state: a view that reads `model.items` is updated when the items change, and one
/// that reads `model.state` when anything does.
@MainActor
@Observable
@dynamicMemberLookup
public final class ScreenModel<S: Screen> {
  /// The newest state; during a silent reload (``ScreenActivity/Options``), the state before the reload.
  public var state: S.State {
    access(keyPath: \.state)
    return current
  }
  /// The indicator and the alerts of the screen's loads, and whether the network is unavailable.
  public private(set) var activity = ScreenActivity()
  /// Whether loads or writes are running or waiting; streams and timers don't count.
  public private(set) var isWorking = false
  /// The reason why the screen was ended, because of a mistake in it (``ScreenErrorPolicy/endsScreen``); `nil` otherwise.
  public private(set) var failure: LoadFailure?

  @ObservationIgnored private let runner: Runner<S>
  @ObservationIgnored private var current: S.State
  /// The value of the runner's `changeCount` for the current state.
  @ObservationIgnored private var changeCount: UInt64
  /// The members that have been read since they last changed.
  @ObservationIgnored private var members: [PartialKeyPath<S.State>: ReadMember] = [:]
  /// The number of views that currently run the screen.
  @ObservationIgnored private var views = 0
  #if DEBUG
    @ObservationIgnored private var hasRun = false
  #endif

  /// Creates a model whose screen is in its initial state; the parameters are those of a ``Runner`` on the main actor.
  public convenience init(
    _ screen: S, clock: any Clock<Duration> = ContinuousClock(),
    navigator: (any Navigator)? = nil, writes: PendingWork? = nil,
    errors: ScreenErrorPolicy = .default, activity: ScreenActivity.Options = .init(),
    observer: (@Sendable (Duration, RunnerRecord<S>) -> Void)? = nil
  ) {
    self.init(
      screen, nil, clock: clock, navigator: navigator, writes: writes, errors: errors,
      activity: activity, observer: observer)
  }

  /// Creates a model that shows a state and never changes it, for previews; events do nothing.
  ///
  /// ```swift
  /// #Preview { IssuesView(model: ScreenModel(tracker, showing: .init(text: "apple/swift", results: .content(issues)))) }
  /// ```
  public convenience init(
    _ screen: S, showing state: S.State, _ activity: ScreenActivity = ScreenActivity()
  ) {
    self.init(
      screen, state, clock: ContinuousClock(), navigator: nil, writes: nil, errors: .default,
      activity: nil, observer: nil)
    runner.stop()
    self.activity = activity
  }

  private init(
    _ screen: S, _ state: S.State?, clock: any Clock<Duration>, navigator: (any Navigator)?,
    writes: PendingWork?, errors: ScreenErrorPolicy, activity: ScreenActivity.Options?,
    observer: (@Sendable (Duration, RunnerRecord<S>) -> Void)?
  ) {
    let relay = Relay()
    let refresh: @Sendable () -> Void = { MainActor.assumeIsolated { relay.model?.refresh() } }
    let runner = Runner(
      screen, clock: clock, executor: .mainActor, navigator: navigator, writes: writes,
      observer: observer, listener: nil, activity: activity, onChange: refresh,
      onWorkChange: refresh, state: state, errors: errors)
    self.runner = runner
    (current, changeCount, _) = runner.snapshot
    relay.model = self
  }

  #if DEBUG
    deinit {
      if !hasRun { runner.reportUnsuspendedWork() }
    }
  #endif

  /// A member of the state.
  public subscript<Value>(dynamicMember member: KeyPath<S.State, Value>) -> Value {
    if let read = members[member] ?? readMember(member) {
      access(keyPath: read.path)
    } else {
      access(keyPath: \.state)
    }
    return current[keyPath: member]
  }

  private struct ReadMember {
    let path: KeyPath<ScreenModel, Void>
    let isEqual: (S.State, S.State) -> Bool
  }

  /// Returns `nil` for a member that can't be compared, and if too many members have been read, such as elements.
  private func readMember<Value>(_ member: KeyPath<S.State, Value>) -> ReadMember? {
    func compared<Member: Equatable>(_: Member.Type) -> (S.State, S.State) -> Bool {
      let member = member as! KeyPath<S.State, Member>
      return { $0[keyPath: member] == $1[keyPath: member] }
    }
    guard members.count < 100, let type = Value.self as? any Equatable.Type else { return nil }
    let read = ReadMember(path: \.[change: member], isEqual: compared(type))
    members[member] = read
    return read
  }

  /// The key by which a member is observed; it has no value.
  private subscript(change _: PartialKeyPath<S.State>) -> Void {}

  private func show(_ state: S.State, _ count: UInt64) {
    changeCount = count
    let changed = members.filter { !$0.value.isEqual(current, state) }
    for (member, read) in changed {
      members[member] = nil
      _$observationRegistrar.willSet(self, keyPath: read.path)
    }
    withMutation(keyPath: \.state) {
      // An observer may have sent an event, and the newer state has been shown since.
      if changeCount == count { current = state }
    }
    for read in changed.values { _$observationRegistrar.didSet(self, keyPath: read.path) }
  }

  /// Applies an event and updates ``state`` before it returns.
  ///
  /// - Returns: A handle to wait for the work that the event started:
  ///   `.refreshable { await model.send(.refresh).finished() }`.
  @discardableResult
  public func send(_ event: S.Event) -> PendingWork {
    runner.send(event)
  }

  /// The alert to present: the first failure that the view of the content does not show itself; `nil` when there is none.
  public var alert: ScreenActivity.Alert? { activity.alerts.first { !$0.isInline } }

  /// Dismisses an alert; does nothing if it is no longer shown.
  public func dismiss(_ alert: ScreenActivity.Alert.ID) { runner.dismiss(alert) }

  /// Dismisses an alert, and repeats its failed load if it can be repeated; does nothing if the alert is no longer
  /// shown.
  ///
  /// - Returns: A handle to wait for the load.
  @discardableResult
  public func retry(_ alert: ScreenActivity.Alert.ID) -> PendingWork { runner.retry(alert) }

  /// Ties the screen's work to a view: suspends the work when the calling task is cancelled, and
  /// then returns.
  ///
  /// The next `run()` restarts the cancelled loads, so a view that comes back does not show an
  /// endless spinner. Writes are never cancelled.
  public func run() async {
    views += 1
    #if DEBUG
      hasRun = true
    #endif
    runner.resume()
    let (forever, continuation) = AsyncStream<Never>.makeStream()
    for await _ in forever {}
    continuation.finish()
    views -= 1
    // A new view may appear before the view that it replaces disappears.
    if views == 0 { runner.suspend() }
  }

  /// Copies the runner's state and activity.
  ///
  /// An observer may send an event while the state is being set. The newer state must win, so this repeats until the
  /// runner has no newer state.
  private func refresh() {
    while true {
      let (newest, count, activity) = runner.snapshot
      let (works, failure) = (runner.isWorking, runner.failure)
      guard
        changeCount != count || self.activity != activity || isWorking != works
          || self.failure != failure
      else { return }
      if changeCount != count { show(newest, count) }
      if self.activity != activity { self.activity = activity }
      if isWorking != works { isWorking = works }
      if self.failure != failure { self.failure = failure }
    }
  }

  @MainActor
  private final class Relay {
    weak var model: ScreenModel?
  }
}
