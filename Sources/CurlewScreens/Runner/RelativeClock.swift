/// A clock's time as a duration since the runner was made, whatever the clock's own instants are.
struct RelativeClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  func sleep(until moment: Duration) async throws {
    try await sleepUntil(moment)
  }
}
