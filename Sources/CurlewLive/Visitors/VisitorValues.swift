import CurlewSupport
import Synchronization

/// Values of visitors that their screens share, such as a store for each user: a value is kept while a screen has it, and
/// a minute longer, so that the next page of its visitor finds it.
///
/// ```swift
/// let stores = VisitorValues { (user: User.ID) in Store() }
/// ```
/// No value reaches another visitor: a screen gets its own in ``LivePage/screen(for:)``.
public final class VisitorValues<Visitor: Hashable & Sendable, Value: AnyObject & Sendable>:
  Sendable
{
  private struct Entry {
    var value: Value
    /// The time at which the value was last in use.
    var used: Duration
  }

  private struct State {
    var entries: [Visitor: Entry] = [:]
    var sweeper: Task<Void, Never>?
  }

  private let limit: Int
  private let time: Duration
  private let clock: any Clock<Duration>
  private let elapsed: RelativeClock
  private let make: @Sendable (Visitor) -> Value
  private let state = Mutex(State())

  /// Creates the values.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of values; at the limit, the one that has not been used for the longest time goes.
  ///   - time: The time that a value is kept after its last use.
  ///   - clock: The clock for the time.
  ///   - make: A closure that makes the value of a visitor.
  public init(
    limit: Int = 1_000, time: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(), make: @escaping @Sendable (Visitor) -> Value
  ) {
    (self.limit, self.time, self.clock, self.make) = (limit, time, clock, make)
    elapsed = RelativeClock(clock)
  }

  deinit { state.withLock { $0.sweeper }?.cancel() }

  /// The value of a visitor, which is made if there is none.
  public subscript(visitor: Visitor) -> Value {
    state.withLock { state in
      let value = state.entries[visitor]?.value ?? make(visitor)
      if state.entries[visitor] == nil, state.entries.count >= limit,
        let oldest = state.entries.min(by: { $0.value.used < $1.value.used })
      {
        state.entries[oldest.key] = nil
      }
      state.entries[visitor] = Entry(value: value, used: elapsed.now)
      if state.sweeper == nil { state.sweeper = sweeper() }
      return value
    }
  }

  /// Starts a task that removes unused values, until none is left.
  private func sweeper() -> Task<Void, Never> {
    WorkExecutor.task { [clock, interval = time / 6, weak self] in
      while true {
        try? await clock.sleep(for: interval)
        guard !Task.isCancelled, let self, sweep() else { return }
      }
    }
  }

  private func sweep() -> Bool {
    let now = elapsed.now
    return state.withLock { state in
      for visitor in Array(state.entries.keys) {
        guard var entry = state.entries.removeValue(forKey: visitor) else { continue }
        if !isKnownUniquelyReferenced(&entry.value) { entry.used = now }
        if now - entry.used <= time { state.entries[visitor] = entry }
      }
      if state.entries.isEmpty { state.sweeper = nil }
      return !state.entries.isEmpty
    }
  }
}
