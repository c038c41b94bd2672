/// How long the loads that failed are still to be left alone.
///
/// It goes by the clock, not by the number of ticks: one that comes late, as after a screen was
/// suspended, finds the right time.
struct Countdowns: Equatable {
  private struct Wait: Equatable {
    /// What began it.
    let failure: LoadFailure
    /// When it ends, on the screen's clock; `nil` when it has ended, or nobody waits for that.
    var end: Duration?
  }

  private var waits: [WorkID: Wait] = [:]
  /// When the seconds that are shown change next; `nil` without a timer.
  private var nextTick: Duration?

  /// How long a load is left alone at least, whatever its error says: a screen that tries again by
  /// itself must not do so without a pause.
  private static var shortestWait: Duration { .seconds(1) }

  /// Takes the loads that failed and were not dismissed; returns the names of those whose wait is
  /// over, each once.
  mutating func follow(_ failed: [Load], at now: Duration) -> [WorkID] {
    var due: [WorkID] = []
    var followed: [WorkID: Wait] = [:]
    for load in failed {
      guard let failure = load.failure, let time = failure.retryAfter else { continue }
      var wait =
        waits[load.name].flatMap { $0.failure == failure ? $0 : nil }
        ?? Wait(failure: failure, end: now + max(time, Self.shortestWait))
      if load.isSuperseded {
        wait.end = nil
      } else if let end = wait.end, end <= now {
        wait.end = nil
        due.append(load.name)
      }
      followed[load.name] = wait
    }
    waits = followed
    return due
  }

  /// Returns the whole seconds that are left, rounded up.
  func secondsLeft(for name: WorkID, at now: Duration) -> Int? {
    waits[name]?.end.map { Self.seconds(until: $0, at: now) }
  }

  /// Has a timer go off when the seconds change of what ends first; without a wait, there is none.
  mutating func tick(_ work: inout Work<Countdowns>) {
    let end = waits.values.compactMap(\.end).min()
    let tick = end.map { $0 - .seconds(Self.seconds(until: $0, at: work.now) - 1) }
    guard tick != nextTick else { return }
    nextTick = tick
    if let tick {
      work.timer(.countdown, after: tick - work.now) { countdowns, _ in countdowns.nextTick = nil }
    } else {
      work.cancel(.countdown)
    }
  }

  private static func seconds(until end: Duration, at now: Duration) -> Int {
    let (whole, fraction) = (end - now).components
    return Int(fraction > 0 ? whole + 1 : whole)
  }
}

extension WorkID {
  fileprivate static let countdown: WorkID = "activity.countdown"
}
