import CurlewSupport

/// The clock of a policy that several clients share: the clock that the policy was created with, or the
/// clock of the first client that uses it.
struct SharedClock {
  private var clock: RelativeClock?

  init(_ clock: (any Clock<Duration>)?) {
    self.clock = clock.map { clock in RelativeClock(clock) }
  }

  /// The time; zero before the first use.
  var now: Duration { clock?.now ?? .zero }

  /// Returns the time; adopts a client's clock if there is none yet.
  mutating func now(adopting other: RelativeClock?) -> Duration {
    let adopted = clock ?? other ?? RelativeClock(ContinuousClock())
    clock = adopted
    return adopted.now
  }
}
