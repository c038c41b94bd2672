/// The activity of a running screen, and the state that it shows during a silent reload.
///
/// Everything is computed from the loads and the time, so a runner needs a single timer, which is due at ``nextChange``.
final class ActivityTracker<State: Equatable & Sendable> {
  /// A failed load.
  private struct Failed {
    let id: Int
    let failure: LoadFailure
    var isDismissed = false
    /// The time of the automatic retry, from which the remaining seconds are computed, so that they are right even when a
    /// tick is late, as after a suspension.
    var retry: Duration?
  }

  /// The minimum time before an automatic retry, which prevents a tight retry loop.
  private static var shortestWait: Duration { .seconds(1) }

  let options: ScreenActivity.Options
  private(set) var activity = ScreenActivity()
  /// The state to show instead of the screen's state: the state before a silent reload.
  private(set) var silentState: State?
  /// The state after a silent reload that failed as before, which stays hidden.
  private var hiddenState: State?
  /// Whether the activity must be updated although the state has not changed.
  private var isOutdated = false
  private var busySince: Duration?
  private var visibleSince: Duration?
  private var isBusy = false
  private var failed: [WorkID: Failed] = [:]
  private var lastID = 0
  private var pauses: RetryPauses
  private var nextReload: Duration?
  /// The silent reload that has been requested: of everything, or of failed loads.
  private var requested: (reload: Bool, onlyFailed: Bool) = (false, false)
  /// Whether the content was not shown for so long that it must be reloaded.
  private var isStale = false

  init(_ options: ScreenActivity.Options) {
    self.options = options
    pauses = RetryPauses(options.retryPauses)
  }

  /// The time at which the activity changes although nothing else changes; `nil` if it does not.
  var nextChange: Duration? {
    let indicator =
      visibleSince.map { isBusy ? nil : $0 + options.minimumIndicatorTime }
      ?? busySince.map { $0 + options.indicatorDelay }
    // The seconds of the earliest countdown change.
    let seconds = activity.alerts.compactMap(\.secondsLeft).min() ?? 1
    let countdown = failed.values.compactMap(\.retry).min().map {
      $0 - .seconds(max(0, seconds - 1))
    }
    return [countdown, indicator, nextReload].compactMap(\.self).min()
  }

  /// Returns whether the activity must be updated although the state has not changed.
  func isOutdated(at now: Duration) -> Bool { isOutdated || nextChange.map { $0 <= now } ?? false }

  // MARK: Alerts and the indicator

  /// Dismisses an alert; returns its load's name, or `nil` if the alert is no longer shown.
  func dismiss(_ id: ScreenActivity.Alert.ID) -> WorkID? {
    guard let index = activity.alerts.firstIndex(where: { $0.id == id }) else { return nil }
    let name = activity.alerts.remove(at: index).name
    failed[name]?.isDismissed = true
    failed[name]?.retry = nil
    isOutdated = true
    return name
  }

  /// Updates the alerts and the indicator; returns the events that retry the loads that are due, each once.
  func update<Event>(_ loads: [LoadStatus<Event>], at now: Duration) -> [Event] {
    isOutdated = false
    var due: [Event] = []
    let known = failed
    (failed, activity.alerts) = ([:], [])
    for load in loads {
      guard let failure = load.failure else { continue }
      // A load that restarts may fail again with an equal failure, which is then shown again.
      var entry =
        known[load.name].flatMap { $0.failure == failure ? $0 : nil } ?? newEntry(failure, at: now)
      if load.isSuperseded {
        entry.retry = nil
      } else if let retry = entry.retry, retry <= now {
        entry.retry = nil
        if let event = load.retry { due.append(event) }
      }
      failed[load.name] = entry
      guard !entry.isDismissed else { continue }
      activity.alerts.append(
        ScreenActivity.Alert(
          id: entry.id, name: load.name, kind: load.kind, failure: failure,
          secondsLeft: entry.retry.map { Self.seconds(until: $0, at: now) },
          canRetry: load.retry != nil, isInline: load.isInline))
    }
    isBusy = loads.contains(where: \.isLoading)
    if isBusy {
      busySince = busySince ?? now
      if let busySince, busySince + options.indicatorDelay <= now {
        visibleSince = visibleSince ?? now
        let loading = loads.filter(\.isLoading).map { ($0.name, $0.kind) }
        activity.loading = Dictionary(loading) { first, _ in first }
      }
    } else if visibleSince.map({ $0 + options.minimumIndicatorTime <= now }) ?? true {
      (busySince, visibleSince, activity.loading) = (nil, nil, [:])
    }
    return due
  }

  private func newEntry(_ failure: LoadFailure, at now: Duration) -> Failed {
    lastID += 1
    return Failed(
      id: lastID, failure: failure,
      retry: failure.retryAfter.map { now + max($0, Self.shortestWait) })
  }

  private static func seconds(until end: Duration, at now: Duration) -> Int {
    let (whole, fraction) = (end - now).components
    return Int(fraction > 0 ? whole + 1 : whole)
  }

  // MARK: Silent reloads

  /// Records whether the network is unavailable.
  func setOffline(_ isOffline: Bool, at now: Duration) {
    guard isOffline != activity.isOffline else { return }
    (activity.isOffline, isOutdated) = (isOffline, true)
    if isOffline {
      pauses.reset()
      nextReload = now + pauses.next()
    } else {
      (nextReload, requested) = (nil, (true, false))
    }
  }

  /// Records that the screen is shown again after a pause.
  func resume(after pause: Duration) {
    if pause >= options.staleTime { (isStale, isOutdated) = (true, true) }
  }

  /// Returns the events that reload the content silently, if that is due and nothing is loading.
  func reloads<Event>(_ loads: [LoadStatus<Event>], at now: Duration) -> [Event] {
    if let due = nextReload, due <= now {
      nextReload = now + pauses.next()
      requested = (true, false)
    }
    guard requested.reload || isStale else { return [] }
    if !isStale, loads.contains(where: \.isLoading) {
      // A load that began before the network was back may still fail.
      requested = (!activity.isOffline, true)
      return []
    }
    let isNeeded = isStale || !requested.onlyFailed || loads.contains { $0.failure != nil }
    (requested, isStale) = ((false, false), false)
    return loads.filter { isNeeded && $0.kind != .write && !$0.isSuperseded && !$0.isLoading }
      .compactMap { $0.failure == nil ? $0.reload : $0.retry }
  }

  /// Shows a state from before a silent reload until the reload has ended.
  func hide(_ before: State) { (silentState, hiddenState) = (silentState ?? before, nil) }

  /// Shows the screen's own state again.
  func endSilentReload() { (silentState, hiddenState, isOutdated) = (nil, nil, true) }

  /// Shows the screen's own state with its loads again when a silent reload has ended, unless it failed with the same
  /// error as the loads of the state that is shown instead.
  func endSilentReload<Event>(
    _ state: State, _ loads: [LoadStatus<Event>], shown: [LoadStatus<Event>]
  ) {
    guard !loads.contains(where: \.isLoading) else { return }
    let failures = loads.map(\.failure)
    // A failure with a retry time is shown, because its countdown starts now.
    if hiddenState == nil, failures.contains(where: { $0 != nil }),
      !failures.contains(where: { $0?.retryAfter != nil }),
      failures.map(\.?.message) == shown.map(\.failure?.message)
    {
      hiddenState = state
    } else if hiddenState != state {
      endSilentReload()
    }
  }
}
