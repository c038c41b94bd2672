/// The status of one of a screen's loads: running, failed or neither.
public struct LoadStatus<Event> {
  /// The load's name, unique within the screen; for a load of a part, it includes the part's name.
  public let name: WorkID
  /// Whether the load is running.
  public let isLoading: Bool
  /// The reason why the load failed; `nil` when it has not failed.
  public let failure: LoadFailure?
  let isSuperseded: Bool
  package let retry: Event?

  /// Creates a load's status.
  ///
  /// - Parameters:
  ///   - name: The load's name.
  ///   - isLoading: Whether the load is running.
  ///   - failure: The reason why the load failed; `nil` when it has not failed.
  ///   - isSuperseded: Whether another load is about to replace this one, as when the user types a new
  ///     search term. It is then not retried automatically.
  ///   - retry: The event that retries the load when its failure's ``RetryAfterError/retryAfter`` has
  ///     passed (``ActivityTracking``); `nil` when only the user can retry it.
  public init(
    name: WorkID, isLoading: Bool, failure: LoadFailure?, isSuperseded: Bool = false,
    retry: Event? = nil
  ) {
    self.name = name
    self.isLoading = isLoading
    self.failure = failure
    self.isSuperseded = isSuperseded
    self.retry = retry
  }

  /// Returns the load of a screen that wraps this one's events.
  public func wrapping<Outer>(_ event: (Event) -> Outer) -> LoadStatus<Outer> {
    LoadStatus<Outer>(
      name: name, isLoading: isLoading, failure: failure, isSuperseded: isSuperseded,
      retry: retry.map(event))
  }
}

extension LoadStatus: Equatable where Event: Equatable {}

extension LoadStatus: Sendable where Event: Sendable {}

/// The combined status of a screen's loads: one activity indicator, and an alert for each error
/// that the user has not dismissed.
public struct ScreenActivity: Equatable, Sendable {
  enum Phase: Equatable {
    /// Nothing is loading, and the indicator is hidden.
    case resting
    /// Loading has started, and the indicator's delay has not passed yet.
    case waiting
    /// The indicator has just appeared.
    case shown
    /// The indicator is visible, and its minimum time has not passed yet.
    case staying
    /// The indicator's minimum time has passed; it disappears when nothing is loading.
    case leaving
  }

  /// An error that the user has not dismissed.
  public struct Alert: Equatable, Sendable {
    /// The name of the load that failed.
    public let name: WorkID
    /// The reason why it failed.
    public let failure: LoadFailure
    /// The whole seconds, rounded up, until the load is retried; `nil` when no automatic retry is
    /// pending.
    public let secondsLeft: Int?
  }

  /// The errors that the user has not dismissed, in the order of the loads.
  public private(set) var alerts: [Alert] = []
  private(set) var phase = Phase.resting
  private var isBusy = false
  private var dismissed: [WorkID: LoadFailure] = [:]
  private var countdowns = Countdowns()

  /// Whether the indicator is visible.
  public var isVisible: Bool {
    switch phase {
    case .shown, .staying, .leaving: true
    case .resting, .waiting: false
    }
  }

  mutating func dismiss(_ name: WorkID) {
    // Compares descriptions, because a name sent by a browser is only text, without its parts.
    guard let index = alerts.firstIndex(where: { "\($0.name)" == "\(name)" }) else { return }
    let alert = alerts.remove(at: index)
    dismissed[alert.name] = alert.failure
  }

  /// Updates the indicator and the alerts; returns the events that retry the loads that are due.
  mutating func update<Event>(
    _ loads: [LoadStatus<Event>], delay: Duration, minimum: Duration,
    _ work: inout Work<ScreenActivity>
  ) -> [Event] {
    // A load that restarts may fail again with an equal failure, which is then shown again.
    dismissed = dismissed.filter { name, failure in
      loads.contains { $0.name == name && $0.failure == failure }
    }
    let failed = loads.filter { $0.failure != nil && $0.failure != dismissed[$0.name] }
    let due = countdowns.follow(failed, at: work.now)
    work.scope(\.countdowns) { countdowns.tick(&$0) }
    alerts = failed.compactMap { load in
      load.failure.map { failure in
        Alert(
          name: load.name, failure: failure,
          secondsLeft: countdowns.secondsLeft(for: load.name, at: work.now))
      }
    }
    isBusy = loads.contains { $0.isLoading }
    updatePhase(delay: delay, minimum: minimum, &work)
    return due.compactMap(\.retry)
  }

  private mutating func updatePhase(
    delay: Duration, minimum: Duration, _ work: inout Work<ScreenActivity>
  ) {
    switch phase {
    case .resting where isBusy:
      phase = .waiting
      work.timer(.activityDelay, after: delay) { activity, _ in activity.phase = .shown }
    case .waiting where !isBusy:
      phase = .resting
      work.cancel(.activityDelay)
    case .shown:
      phase = .staying
      work.timer(.activityMinimum, after: minimum) { activity, _ in
        activity.phase = .leaving
      }
    case .leaving where !isBusy:
      phase = .resting
    case .resting, .waiting, .staying, .leaving:
      break
    }
  }
}

extension WorkID {
  fileprivate static let activityDelay: WorkID = "activity.delay"
  fileprivate static let activityMinimum: WorkID = "activity.minimum"
}
