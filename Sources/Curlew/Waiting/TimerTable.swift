import Synchronization

/// The target that a timer calls when it fires.
protocol TimerTarget: AnyObject, Sendable {
  /// Called once, on an arbitrary thread, unless the timer was stopped before.
  func timerFired(_ timer: TimerTable.Timer)
}

extension StoppableTask: TimerTarget {
  func timerFired(_ timer: TimerTable.Timer) { stop() }
}

/// The timers of a client's requests, with one sleeping task for all of them.
///
/// A task for each timer would cost more than the rest of the client, and nearly all requests end long before their
/// time limits. Here a timer is an entry in a table, and one task sleeps until the earliest deadline.
///
/// Timers don't count the time in which the process was suspended, such as an iOS app in the background: no response
/// could arrive. A suspension is detected when the sleeping task wakes too late.
final class TimerTable: Sendable {
  /// An entry in the table; its number distinguishes it from earlier entries in the same slot.
  struct Timer: Equatable, Sendable {
    fileprivate let slot: Int
    fileprivate let number: Int
    /// The time at which the timer fires.
    let deadline: Duration
  }

  let clock: RelativeClock
  private let entries: Entries

  /// - Parameter tolerance: The maximum delay of the sleeping task without a suspension; `nil` for the clock's
  ///   default: 5 seconds for a system clock. A test's clock has no maximum, because its tasks usually wake late.
  init(clock: any Clock<Duration>, tolerance: Duration? = nil) {
    self.clock = RelativeClock(clock)
    let isSystems = clock is ContinuousClock || clock is SuspendingClock
    entries = Entries(self.clock, tolerance: tolerance ?? (isSystems ? .seconds(5) : nil))
  }

  deinit { entries.end() }

  /// The time for deadlines: the time of the ``clock`` without suspensions.
  var now: Duration { entries.now }

  /// Starts a timer that fires when ``now`` reaches a deadline.
  func start(until deadline: Duration, _ target: any TimerTarget) -> Timer {
    entries.start(until: deadline, target)
  }

  /// Starts a timer that fires after a duration.
  func start(after duration: Duration, _ target: any TimerTarget) -> Timer {
    entries.start(after: duration, target)
  }

  /// Stops a timer; does nothing if it has fired.
  func stop(_ timer: Timer) { entries.stop(timer) }
}

/// The entries of a table, as a separate object that the sleeping task retains.
///
/// A weak reference to the table would slow down each request, which retains and releases it.
private final class Entries: Sendable {
  typealias Timer = TimerTable.Timer

  private struct Entry {
    let number: Int
    let deadline: Duration
    let target: any TimerTarget
  }

  private struct State {
    /// Slots are reused, which is cheaper than hashing.
    var entries: [Entry?] = []
    var freeSlots: [Int] = []
    var lastNumber = 0
    /// The clock's time at which the sleeping task wakes; `nil` without a sleeping task.
    var wakesAt: Duration?
    var sleeper: Task<Void, Never>?
    /// The total duration of all suspensions.
    var suspended = Duration.zero
    /// The clock's time at which the process was last known to run.
    var lastSeen = Duration.zero
  }

  private let clock: RelativeClock
  private let tolerance: Duration?
  private let state = Mutex(State())

  init(_ clock: RelativeClock, tolerance: Duration?) {
    (self.clock, self.tolerance) = (clock, tolerance)
  }

  func end() { state.withLock { $0.sleeper }?.cancel() }

  var now: Duration { state.withLock { now(&$0) } }

  /// Returns the time without suspensions; detects a suspension that has just ended.
  private func now(_ state: inout State) -> Duration {
    let time = clock.now
    if let tolerance, let wakesAt = state.wakesAt, time - wakesAt > tolerance {
      state.suspended += time - state.lastSeen
      sleep(&state, at: time)
    }
    state.lastSeen = time
    return time - state.suspended
  }

  func start(until deadline: Duration, _ target: any TimerTarget) -> Timer {
    state.withLock { start(until: deadline, target, &$0, at: clock.now) }
  }

  func start(after duration: Duration, _ target: any TimerTarget) -> Timer {
    state.withLock { state in
      let now = now(&state)
      return start(until: now + duration, target, &state, at: now + state.suspended)
    }
  }

  private func start(
    until deadline: Duration, _ target: any TimerTarget, _ state: inout State, at time: Duration
  ) -> Timer {
    state.lastNumber += 1
    let entry = Entry(number: state.lastNumber, deadline: deadline, target: target)
    let slot: Int
    if let free = state.freeSlots.popLast() {
      slot = free
      state.entries[slot] = entry
    } else {
      slot = state.entries.count
      state.entries.append(entry)
    }
    if state.wakesAt.map({ deadline + state.suspended < $0 }) ?? true {
      sleep(until: deadline, &state, at: time)
    }
    return Timer(slot: slot, number: entry.number, deadline: deadline)
  }

  func stop(_ timer: Timer) {
    state.withLock { state in
      guard state.entries[timer.slot]?.number == timer.number else { return }
      state.entries[timer.slot] = nil
      state.freeSlots.append(timer.slot)
    }
  }

  /// Sleeps until the earliest deadline, if there is any.
  private func sleep(_ state: inout State, at time: Duration) {
    state.sleeper?.cancel()
    (state.wakesAt, state.sleeper) = (nil, nil)
    if let deadline = state.entries.lazy.compactMap({ $0?.deadline }).min() {
      sleep(until: deadline, &state, at: time)
    }
  }

  private func sleep(until deadline: Duration, _ state: inout State, at time: Duration) {
    state.sleeper?.cancel()
    // In short sleeps, because a suspension is detected only when a sleep ends late.
    let longest = tolerance.map { time + $0 } ?? .seconds(Int64.max)
    // Not before now: a deadline long past would look like a suspension, and would never fire.
    let wakesAt = max(time, min(deadline + state.suspended, longest))
    state.wakesAt = wakesAt
    // Detached: the task-local values of a call must not live as long as other calls' timers.
    state.sleeper = Task.detached { [self] in
      try? await clock.sleep(until: wakesAt)
      wake()
    }
  }

  private func wake() {
    let fired = state.withLock { state -> [(Timer, any TimerTarget)] in
      // A cancelled task has been replaced by another sleeping task.
      guard !Task.isCancelled else { return [] }
      let suspended = state.suspended
      let now = now(&state)
      // After a suspension, `now(_:)` has started another sleeping task, too.
      guard state.suspended == suspended else { return [] }
      state.sleeper = nil
      var fired: [(Timer, any TimerTarget)] = []
      for (slot, entry) in state.entries.enumerated() {
        guard let entry, entry.deadline <= now else { continue }
        let timer = Timer(slot: slot, number: entry.number, deadline: entry.deadline)
        fired.append((timer, entry.target))
        state.entries[slot] = nil
        state.freeSlots.append(slot)
      }
      sleep(&state, at: now + state.suspended)
      return fired
    }
    for (timer, target) in fired { target.timerFired(timer) }
  }
}
