/// How long an indicator of work waits before it shows, and how long it then stays.
///
/// What is there at once needs no indicator; one that only flashes up disturbs more than it tells.
public struct IndicatorTiming: Equatable, Sendable {
  /// How long work must go on before its indicator shows: 200 ms, what a user takes for at once.
  public var delay: Duration
  /// How long an indicator that showed stays at least: half a second, long enough to be seen.
  public var minimum: Duration

  /// Creates the two times.
  public init(delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500)) {
    self.delay = delay
    self.minimum = minimum
  }
}

/// A piece of work of a screen, as far as a user cares: it goes on, or it failed.
public struct Load: Equatable, Sendable {
  /// What tells it apart from the others; in a part of a screen it carries the part's name, as work
  /// does.
  public internal(set) var name: WorkID
  /// Whether it goes on.
  public let isLoading: Bool
  /// Why it failed, if it did.
  public let failure: LoadFailure?
  /// Whether something else is about to take its place, as what a user types takes that of the last
  /// search: then nobody waits for it any more.
  public let isSuperseded: Bool

  /// Creates a description of work.
  public init(
    name: WorkID, isLoading: Bool, failure: LoadFailure?, isSuperseded: Bool = false
  ) {
    self.name = name
    self.isLoading = isLoading
    self.failure = failure
    self.isSuperseded = isSuperseded
  }

  /// Returns the load as the parent of its part names it.
  func inside(_ part: PartID) -> Load {
    var load = self
    load.name = name.inside(part)
    return load
  }
}

/// All loads of a screen together: one indicator, and the errors that were not dismissed.
public struct Activity: Equatable, Sendable {
  enum Phase: Equatable {
    case resting
    /// Something loads, but not for long yet.
    case waiting
    /// The indicator has just come up.
    case shown
    /// The indicator is up, and its minimum not over.
    case staying
    /// The indicator may go as soon as nothing loads.
    case leaving
  }

  /// An error that was not dismissed.
  public struct Alert: Equatable, Sendable {
    /// The load that failed.
    public let name: WorkID
    /// Why.
    public let failure: LoadFailure
    /// The whole seconds, rounded up, until it is tried again; `nil` when the error says no time,
    /// and when nothing waits for that time any more.
    public let secondsLeft: Int?
  }

  /// The errors that were not dismissed, in the order of the loads.
  public private(set) var alerts: [Alert] = []
  private(set) var phase = Phase.resting
  private var isBusy = false
  private var dismissed: [WorkID: LoadFailure] = [:]
  private var countdowns = Countdowns()

  /// Whether the indicator is shown.
  public var isVisible: Bool {
    switch phase {
    case .shown, .staying, .leaving: true
    case .resting, .waiting: false
    }
  }

  mutating func dismiss(_ name: WorkID) {
    // A name that comes back from a browser is only the text of one.
    guard let index = alerts.firstIndex(where: { "\($0.name)" == "\(name)" }) else { return }
    let alert = alerts.remove(at: index)
    dismissed[alert.name] = alert.failure
  }

  /// Takes what the loads are now; returns the names of those that are to be tried again now.
  mutating func update(
    _ loads: [Load], _ timing: IndicatorTiming, _ work: inout Work<Activity>
  ) -> [WorkID] {
    // A load that begins anew may fail anew, and with the same words.
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
    updatePhase(loads, timing, &work)
    return due
  }

  private mutating func updatePhase(
    _ loads: [Load], _ timing: IndicatorTiming, _ work: inout Work<Activity>
  ) {
    isBusy = loads.contains(where: \.isLoading)
    switch phase {
    case .resting where isBusy:
      phase = .waiting
      work.timer(.activityDelay, after: timing.delay) { activity, _ in activity.phase = .shown }
    case .waiting where !isBusy:
      phase = .resting
      work.cancel(.activityDelay)
    case .shown:
      phase = .staying
      work.timer(.activityMinimum, after: timing.minimum) { activity, _ in
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
