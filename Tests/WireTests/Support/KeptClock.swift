import CurlewTesting
import TestSupport

/// Opens a gate when its last reference is released.
final class Keepsake: Sendable {
  private let gate: Gate

  init(opening gate: Gate) {
    self.gate = gate
  }

  deinit { gate.open() }
}

/// A test's clock that shows whether it is still referenced.
struct KeptClock: Clock {
  let clock: TestClock
  private let keepsake: Keepsake

  init(_ clock: TestClock, _ keepsake: Keepsake) {
    self.clock = clock
    self.keepsake = keepsake
  }

  var now: TestClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
