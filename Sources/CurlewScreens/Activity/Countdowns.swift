/// The countdowns to the automatic retries of failed loads.
///
/// The remaining time is computed from the clock rather than by counting ticks, so a late tick, as
/// after a suspension, still shows the right time.
struct Countdowns: Equatable {
  private struct Wait: Equatable {
    /// The failure that started the countdown.
    let failure: LoadFailure
    /// The time of the retry, on the screen's clock; `nil` when it has passed or the load has been
    /// superseded.
    var end: Duration?
  }

  private var waits: [WorkID: Wait] = [:]
  /// The time when the displayed seconds change next; `nil` when no timer is running.
  private var nextTick: Duration?

  /// The minimum time before an automatic retry, whatever the error specifies: without it, a screen
  /// could retry in a tight loop.
  private static var shortestWait: Duration { .seconds(1) }

  /// Updates the countdowns from the failed loads that were not dismissed; returns those
  /// that are due, each once.
  mutating func follow<Event>(
    _ failed: [LoadStatus<Event>], at now: Duration
  ) -> [LoadStatus<Event>] {
    var due: [LoadStatus<Event>] = []
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
        due.append(load)
      }
      followed[load.name] = wait
    }
    waits = followed
    return due
  }

  /// Returns the remaining whole seconds, rounded up; `nil` without a countdown.
  func secondsLeft(for name: WorkID, at now: Duration) -> Int? {
    waits[name]?.end.map { Self.seconds(until: $0, at: now) }
  }

  /// Sets a timer for the next change of the earliest countdown's seconds; cancels it when there is
  /// no countdown.
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
