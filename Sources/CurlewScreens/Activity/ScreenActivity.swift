import CurlewSupport

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
  ///   - isSuperseded: Whether another load is about to replace this load, as when the user types a new
  ///     search term. A superseded load is not retried automatically.
  ///   - retry: The event that retries the load when its failure's `RetryAfterError.retryAfter` has
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

  /// Returns this status with its retry event wrapped in an outer screen's event.
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
  private enum Phase {
    /// Nothing is loading, and the indicator is hidden.
    case resting
    /// Loading has started, and the indicator's delay has not passed yet.
    case waiting
    /// The indicator is visible, and its minimum time has not passed yet.
    case staying
    /// The indicator's minimum time has passed; it disappears when nothing is loading.
    case leaving
  }

  /// An error that the user has not dismissed.
  public struct Alert: Equatable, Identifiable, Sendable {
    /// The alert's number, which no other alert of the screen has; another failure of the same load has another
    /// number.
    public let id: Int
    /// The name of the load that failed.
    public let name: WorkID
    /// The reason why the load failed.
    public let failure: LoadFailure
    /// The whole seconds, rounded up, until the load is retried; `nil` when no automatic retry is
    /// pending.
    public let secondsLeft: Int?
    /// Whether the user can try again (``ActivityTracking/Event/retry(_:)``).
    public let canRetry: Bool

    /// A message for the user: why the load failed, and when it is retried.
    public var message: String {
      guard let secondsLeft else { return failure.message }
      let texts = UserTexts.current
      return failure.message + texts.separator + texts.tryingAgain(secondsLeft)
    }
  }

  /// A failed load.
  private struct Failed: Equatable {
    let id: Int
    let failure: LoadFailure
    var isDismissed = false
    /// The time of the automatic retry, on the screen's clock; `nil` when no automatic retry is pending.
    ///
    /// The remaining seconds are computed from this time instead of counting ticks, so they are right
    /// even when a tick is late, as after a suspension.
    var retry: Duration?
  }

  /// The errors that the user has not dismissed, in the order of the loads.
  public private(set) var alerts: [Alert] = []
  private var phase = Phase.resting
  private var failed: [WorkID: Failed] = [:]
  private var lastID = 0
  /// The time when the displayed seconds change next; `nil` when no timer is running.
  private var nextTick: Duration?

  /// The minimum time before an automatic retry, even when the error specifies a shorter time: it
  /// prevents a tight retry loop.
  private static var shortestWait: Duration { .seconds(1) }

  /// Whether the indicator is visible.
  public var isVisible: Bool { phase == .staying || phase == .leaving }

  /// Dismisses an alert and returns it; `nil` if it is no longer shown.
  @discardableResult
  mutating func dismiss(_ id: Alert.ID) -> Alert? {
    guard let index = alerts.firstIndex(where: { $0.id == id }) else { return nil }
    let alert = alerts.remove(at: index)
    failed[alert.name]?.isDismissed = true
    failed[alert.name]?.retry = nil
    return alert
  }

  /// Updates the indicator and the alerts; returns the events that retry the loads that are due, each
  /// once.
  mutating func update<Event>(
    _ loads: [LoadStatus<Event>], delay: Duration, minimum: Duration,
    _ work: inout Work<ScreenActivity>
  ) -> [Event] {
    var due: [Event] = []
    let known = failed
    (failed, alerts) = ([:], [])
    for load in loads {
      guard let failure = load.failure else { continue }
      // A load that restarts may fail again with an equal failure, which is then shown again.
      var entry =
        known[load.name].flatMap { $0.failure == failure ? $0 : nil }
        ?? newEntry(for: failure, at: work.now)
      if load.isSuperseded {
        entry.retry = nil
      } else if let retry = entry.retry, retry <= work.now {
        entry.retry = nil
        if let event = load.retry { due.append(event) }
      }
      failed[load.name] = entry
      guard !entry.isDismissed else { continue }
      let left = entry.retry.map { Self.seconds(until: $0, at: work.now) }
      alerts.append(
        Alert(
          id: entry.id, name: load.name, failure: failure, secondsLeft: left,
          canRetry: load.retry != nil))
    }
    updateTick(&work)
    updatePhase(isBusy: loads.contains { $0.isLoading }, delay: delay, minimum: minimum, &work)
    return due
  }

  private mutating func newEntry(for failure: LoadFailure, at now: Duration) -> Failed {
    lastID += 1
    return Failed(
      id: lastID, failure: failure,
      retry: failure.retryAfter.map { now + max($0, Self.shortestWait) })
  }

  /// Sets a timer for the next change of the earliest countdown's seconds; cancels it when there is
  /// no countdown.
  private mutating func updateTick(_ work: inout Work<ScreenActivity>) {
    let end = failed.values.compactMap(\.retry).min()
    let tick = end.map { $0 - .seconds(Self.seconds(until: $0, at: work.now) - 1) }
    guard tick != nextTick else { return }
    nextTick = tick
    if let tick {
      work.timer(.countdown, after: tick - work.now) { activity, _ in activity.nextTick = nil }
    } else {
      work.cancel(.countdown)
    }
  }

  private mutating func updatePhase(
    isBusy: Bool, delay: Duration, minimum: Duration, _ work: inout Work<ScreenActivity>
  ) {
    switch phase {
    case .resting where isBusy:
      phase = .waiting
      work.timer(.indicator, after: delay) { activity, work in
        activity.phase = .staying
        work.timer(.indicator, after: minimum) { activity, _ in activity.phase = .leaving }
      }
    case .waiting where !isBusy:
      phase = .resting
      work.cancel(.indicator)
    case .leaving where !isBusy:
      phase = .resting
    case .resting, .waiting, .staying, .leaving:
      break
    }
  }

  private static func seconds(until end: Duration, at now: Duration) -> Int {
    let (whole, fraction) = (end - now).components
    return Int(fraction > 0 ? whole + 1 : whole)
  }
}

extension WorkID {
  fileprivate static let countdown: WorkID = "activity.countdown"
  fileprivate static let indicator: WorkID = "activity.indicator"
}
