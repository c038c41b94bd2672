import Synchronization

/// The target that a timer calls when it fires.
protocol TimerTarget: AnyObject, Sendable {
  /// Called once, on no particular thread, unless the timer was stopped before.
  func timerFired(_ timer: TimerTable.Timer)
}

extension StoppableTask: TimerTarget {
  func timerFired(_ timer: TimerTable.Timer) { stop() }
}

/// The timers of a client's requests, with one sleeping task for all of them.
///
/// A task for each timer would cost more than the rest of the client, and nearly all requests end long
/// before their time limits. Here a timer is an entry in a table, and one task sleeps until the earliest
/// of them.
final class TimerTable: Sendable {
  /// An entry in the table; its number distinguishes it from earlier entries in the same slot.
  struct Timer: Equatable, Sendable {
    fileprivate let slot: Int
    fileprivate let number: Int
  }

  let clock: RelativeClock
  private let entries: Entries

  init(clock: any Clock<Duration>) {
    self.clock = RelativeClock(clock)
    entries = Entries(self.clock)
  }

  deinit { entries.end() }

  /// Starts a timer that fires at a time of the ``clock``.
  func start(until deadline: Duration, _ target: any TimerTarget) -> Timer {
    entries.start(until: deadline, target)
  }

  /// Stops a timer; does nothing if it has fired.
  func stop(_ timer: Timer) { entries.stop(timer) }
}

/// The entries of a table, as an object of their own that the sleeping task retains.
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
    /// When the sleeping task wakes; `nil` when there is none.
    var wakesAt: Duration?
    var sleeper: Task<Void, Never>?
  }

  private let clock: RelativeClock
  private let state = Mutex(State())

  init(_ clock: RelativeClock) { self.clock = clock }

  func end() { state.withLock { $0.sleeper }?.cancel() }

  func start(until deadline: Duration, _ target: any TimerTarget) -> Timer {
    state.withLock { state in
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
      if state.wakesAt.map({ deadline < $0 }) ?? true { sleep(until: deadline, &state) }
      return Timer(slot: slot, number: entry.number)
    }
  }

  func stop(_ timer: Timer) {
    state.withLock { state in
      guard state.entries[timer.slot]?.number == timer.number else { return }
      state.entries[timer.slot] = nil
      state.freeSlots.append(timer.slot)
    }
  }

  private func sleep(until deadline: Duration, _ state: inout State) {
    state.sleeper?.cancel()
    state.wakesAt = deadline
    // Detached: the task-local values of a call must not live as long as the timers of others.
    state.sleeper = Task.detached { [self] in
      try? await clock.sleep(until: deadline)
      wake()
    }
  }

  private func wake() {
    let now = clock.now
    let fired = state.withLock { state -> [(Timer, any TimerTarget)] in
      // Cancelled, because another task sleeps instead.
      guard !Task.isCancelled else { return [] }
      (state.wakesAt, state.sleeper) = (nil, nil)
      var fired: [(Timer, any TimerTarget)] = []
      var next: Duration?
      for (slot, entry) in state.entries.enumerated() {
        guard let entry else { continue }
        if entry.deadline > now {
          next = min(next ?? entry.deadline, entry.deadline)
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
