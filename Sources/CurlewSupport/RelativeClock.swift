/// A clock's time as a duration since this was created, whatever the clock's own instants are.
package struct RelativeClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  package var now: Duration { elapsed() }

  /// Sleeps until a time, at most for a century: clocks overflow beyond.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func sleep(until time: Duration) async throws {
    try await sleepUntil(min(time, now + .seconds(3_155_760_000)))
  }
}
