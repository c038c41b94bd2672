import Synchronization

/// What a timer tells that its time is over.
protocol TimerTarget: AnyObject, Sendable {
  /// Called once, on no particular thread, unless the timer was stopped before.
  func timerFired(_ timer: TimerTable.Timer)
}

extension StoppableTask: TimerTarget {
  func timerFired(_ timer: TimerTable.Timer) { stop() }
}

/// The timers of a client's requests, with one sleeping task for all of them.
///
/// A task for each timer would cost more than the rest of the client: nearly all requests end long
/// before their time limits. Here a timer is an entry in a table; the one task sleeps until the
/// earliest of them.
final class TimerTable: Sendable {
  /// An entry in the table; its number tells it from those that had the same slot before.
  struct Timer: Equatable, Sendable {
    fileprivate let slot: Int
    fileprivate let number: Int
  }

  private struct Entry {
    let number: Int
    let moment: Duration
    let target: any TimerTarget
  }

  private struct State {
    /// Slots are used again: cheaper than hashing.
    var entries: [Entry?] = []
    var freeSlots: [Int] = []
    var lastNumber = 0
    /// When the sleeping task wakes; `nil` when there is none.
    var wakesAt: Duration?
    var sleeper: Task<Void, Never>?
  }

  let clock: RelativeClock
  private let state = Mutex(State())

  init(clock: any Clock<Duration>) {
    self.clock = RelativeClock(clock)
  }

  deinit {
    state.withLock { $0.sleeper }?.cancel()
  }

  /// Starts a timer that ends at a moment of the ``clock``.
  func start(until moment: Duration, _ target: any TimerTarget) -> Timer {
    state.withLock { state in
      state.lastNumber += 1
      let entry = Entry(number: state.lastNumber, moment: moment, target: target)
      let slot: Int
      if let free = state.freeSlots.popLast() {
        slot = free
        state.entries[slot] = entry
      } else {
        slot = state.entries.count
        state.entries.append(entry)
      }
      if state.wakesAt.map({ moment < $0 }) ?? true { sleep(until: moment, &state) }
      return Timer(slot: slot, number: entry.number)
    }
  }

  /// Stops a timer; one that is over already is left alone.
  func stop(_ timer: Timer) {
    state.withLock { state in
      guard state.entries[timer.slot]?.number == timer.number else { return }
      state.entries[timer.slot] = nil
      state.freeSlots.append(timer.slot)
    }
  }

  private func sleep(until moment: Duration, _ state: inout State) {
    state.sleeper?.cancel()
    state.wakesAt = moment
    state.sleeper = Task { @concurrent [clock, weak self] in
      try? await clock.sleep(until: moment)
      self?.wake()
    }
  }

  private func wake() {
    let now = clock.now
    let fired = state.withLock { state -> [(Timer, any TimerTarget)] in
      // Cancelled, because another one sleeps now.
      guard !Task.isCancelled else { return [] }
      (state.wakesAt, state.sleeper) = (nil, nil)
      var fired: [(Timer, any TimerTarget)] = []
      var next: Duration?
      for (slot, entry) in state.entries.enumerated() {
        guard let entry else { continue }
        if entry.moment > now {
          next = min(next ?? entry.moment, entry.moment)
        } else {
          fired.append((Timer(slot: slot, number: entry.number), entry.target))
          state.entries[slot] = nil
          state.freeSlots.append(slot)
        }
      }
      if let next { sleep(until: next, &state) }
      return fired
    }
    for (timer, target) in fired { target.timerFired(timer) }
  }
}
