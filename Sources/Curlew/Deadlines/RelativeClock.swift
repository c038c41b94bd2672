/// A clock's time as a duration since the timeline was made.
package struct RelativeClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  package var now: Duration { elapsed() }

  /// Sleeps until a moment, for a century at most: clocks overflow beyond.
  package func sleep(until moment: Duration) async throws {
    try await sleepUntil(min(moment, now + .seconds(3_155_760_000)))
  }
}

/// The time of the clock that was given, or else of the client that asks first.
struct SharedClock {
  private var timeline: RelativeClock?

  init(_ clock: (any Clock<Duration>)?) {
    timeline = clock.map { clock in RelativeClock(clock) }
  }

  /// The time; zero as long as nobody has asked.
  var now: Duration { timeline?.now ?? .zero }

  /// Returns the time to a client, given its own.
  mutating func now(adopting other: RelativeClock?) -> Duration {
    let adopted = timeline ?? other ?? RelativeClock(ContinuousClock())
    timeline = adopted
    return adopted.now
  }
}
