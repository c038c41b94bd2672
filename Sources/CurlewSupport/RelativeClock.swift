/// A clock whose time is the duration since it was created, independent of the wrapped clock's
/// instant type.
package struct RelativeClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    if let clock = clock as? ContinuousClock {
      // Known to the compiler: the time is read many times for each request.
      let start = clock.now
      elapsed = { start.duration(to: clock.now) }
    } else {
      elapsed = { start.duration(to: clock.now) }
    }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The time since the clock was created.
  package var now: Duration { elapsed() }

  /// Sleeps until a time, but at most for a century: clocks overflow with longer durations.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func sleep(until time: Duration) async throws {
    try await sleepUntil(min(time, now + .seconds(3_155_760_000)))
  }
}
