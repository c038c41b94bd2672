/// A clock whose time is the duration since it was created, independent of the wrapped clock's
/// instant type.
package struct RelativeClock: Sendable {
  private enum Source: Sendable {
    /// The system's clock, without closures: its time is read many times for each request.
    case continuous(start: Duration)
    case other(
      elapsed: @Sendable () -> Duration, sleepUntil: @Sendable (Duration) async throws -> Void)
  }

  /// The reference instant, from which times are measured: the size of an instant is not known at
  /// compile time.
  private static let epoch = ContinuousClock.now

  private let source: Source

  package init(_ clock: some Clock<Duration>) {
    guard !(clock is ContinuousClock) else {
      source = .continuous(start: Self.epoch.duration(to: .now))
      return
    }
    let start = clock.now
    source = .other(
      elapsed: { start.duration(to: clock.now) },
      sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
  }

  /// The time since the clock was created.
  package var now: Duration {
    switch source {
    case .continuous(let start): Self.epoch.duration(to: .now) - start
    case .other(let elapsed, _): elapsed()
    }
  }

  /// Sleeps until a time, but at most for a century: clocks overflow with longer durations.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func sleep(until time: Duration) async throws {
    let time = min(time, now + .seconds(3_155_760_000))
    switch source {
    case .continuous(let start):
      try await ContinuousClock().sleep(
        until: Self.epoch.advanced(by: start + time), tolerance: nil)
    case .other(_, let sleepUntil): try await sleepUntil(time)
    }
  }
}
