/// The activity of a running screen.
extension Runner {
  /// The loads' indicator and alerts, and whether the network is unavailable; empty unless the runner was created with
  /// options for it.
  public var activity: ScreenActivity { snapshot.activity }

  /// The shown state, the number of its changes, and the activity at one moment.
  package var snapshot: (state: S.State, count: UInt64, activity: ScreenActivity) {
    if isChanging { return (misused(returning: screen.initial), 0, ScreenActivity()) }
    return withStorage { ($0.shown, $0.changeCount, $0.tracker?.activity ?? ScreenActivity()) }
  }

  /// Dismisses an alert; does nothing if it is no longer shown.
  public func dismiss(_ alert: ScreenActivity.Alert.ID) {
    if isChanging { return deferCall { $0.dismiss(alert) } }
    change { storage, _, _ in _ = storage.tracker?.dismiss(alert) }
  }

  /// Dismisses an alert, and repeats its failed load if it can be repeated; does nothing if the alert is no longer
  /// shown.
  ///
  /// - Returns: A handle to wait for the load.
  @discardableResult
  public func retry(_ alert: ScreenActivity.Alert.ID) -> PendingWork {
    if isChanging {
      deferCall { $0.retry(alert) }
      return .none
    }
    var event: S.Event?
    change { storage, _, _ in
      guard let name = storage.tracker?.dismiss(alert) else { return }
      event = screen.loads(in: storage.shown).first { $0.name == name }?.retry
    }
    return event.map { send($0) } ?? .none
  }

  func observeConnection(_ options: ScreenActivity.Options, _ work: inout Work<S.State>) {
    guard let observe = options.observeConnection else { return }
    work.start(
      Job(
        id: .connection, kind: .stream(continuesWhileSuspended: false),
        run: { emit in
          await observe { isOffline in
            emit(nil) { _, work in work.commands.append(.setOffline(isOffline)) }
          }
          return Job.Outcome(change: { _, _ in })
        }))
  }

  /// Applies an event that is not silent.
  func handle(
    _ event: S.Event, _ storage: inout RunnerStorage<S.State>, _ work: inout Work<S.State>
  ) {
    guard let tracker = storage.tracker, tracker.silentState != nil else {
      return screen.handle(event, &storage.state, &work)
    }
    let (before, count) = (storage.state, work.commands.count)
    screen.handle(event, &storage.state, &work)
    if before != storage.state || count < work.commands.count { tracker.endSilentReload() }
  }

  /// Updates the activity after a change, and handles the events that repeat or reload the loads that are due.
  ///
  /// - Returns: Whether the events have changed the state.
  func updateActivity(
    _ tracker: ActivityTracker<S.State>, _ storage: inout RunnerStorage<S.State>,
    _ origin: inout Origin
  ) -> Bool {
    var hasChanged = false
    // Each load is due once, so this ends soon.
    for _ in 0..<chainLimit where !storage.isStopped {
      let now = clock.now
      let loads = screen.loads(in: storage.state)
      var shown = loads
      if let silent = tracker.silentState {
        shown = screen.loads(in: silent)
        tracker.endSilentReload(storage.state, loads, shown: shown)
        if tracker.silentState == nil { shown = loads }
      }
      let before = storage.state
      var work = Work<S.State>(now: now)
      let retries = tracker.update(shown, at: now)
      for event in retries { handle(event, &storage, &work) }
      let reloads = retries.isEmpty ? tracker.reloads(loads, at: now) : []
      work.isBackground = true
      for event in reloads { screen.handle(event, &storage.state, &work) }
      if !reloads.isEmpty, !work.commands.isEmpty { tracker.hide(before) }
      perform(work.commands, &storage, &origin)
      if settle(&storage, since: before, &origin) {
        hasChanged = true
      } else if retries.isEmpty, reloads.isEmpty {
        setTimer(at: tracker.nextChange, now, &storage)
        break
      }
    }
    return hasChanged
  }

  private func setTimer(
    at due: Duration?, _ now: Duration, _ storage: inout RunnerStorage<S.State>
  ) {
    guard storage.work.waiting[.activity]?.due != due else { return }
    guard let due else { return storage.work.cancel(.activity) }
    let timer = Job<S.State>(
      id: .activity, kind: .timer, delay: max(.nanoseconds(1), due - now),
      run: { _ in Job.Outcome(change: { _, _ in }) })
    var origin = Origin()
    perform([.start(timer)], &storage, &origin)
  }
}

extension WorkID {
  static let activity: WorkID = "screen.activity"
  /// The stream of whether the network is unavailable.
  static let connection: WorkID = "screen.connection"

  /// Whether the work is a runner's own work, not its screen's.
  var isOwn: Bool { parts.isEmpty && (self == .activity || self == .connection) }
}
