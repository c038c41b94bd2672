/// The states of a running screen: the one now, then each new one; a slow consumer gets the newest.
public struct States<S: Screen>: AsyncSequence, Sendable {
  let runner: Runner<S>

  /// Iterates over the states of a running screen.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let runner: Runner<S>
    private var seen: UInt64 = 0

    fileprivate init(runner: Runner<S>) {
      self.runner = runner
    }

    /// Returns the newest state that was not returned yet; `nil` when the runner was stopped or
    /// the task is cancelled.
    public mutating func next() async -> S.State? {
      guard await runner.stateChanges.arrive(after: seen) else { return nil }
      return runner.newest(&seen)
    }
  }

  /// Begins with the state now.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(runner: runner) }
}

extension Screen {
  /// Runs the screen for as long as the returned sequence is iterated: events go in, states come
  /// out.
  ///
  /// The states begin with the initial one. They end when the events have ended and no work is
  /// running. Ending the iteration, or cancelling its task, cancels all work.
  ///
  /// ```swift
  /// for await state in tracker.states(for: events) { draw(state) }
  /// ```
  public func states<Events: AsyncSequence & Sendable>(
    for events: Events, clock: any Clock<Duration> = ContinuousClock()
  ) -> ScreenStates<Self, Events> where Events.Element == Event {
    ScreenStates(screen: self, events: events, clock: clock)
  }
}

/// The states that a screen has while it responds to a sequence of events.
public struct ScreenStates<S: Screen, Events: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Events.Element == S.Event {
  fileprivate let screen: S
  fileprivate let events: Events
  fileprivate let clock: any Clock<Duration>

  /// Runs the screen for as long as it lives.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let run: Run
    private var states: States<S>.AsyncIterator

    fileprivate init(_ run: Run) {
      self.run = run
      states = run.runner.states.makeAsyncIterator()
    }

    /// Returns the newest state that was not returned yet; `nil` at the end.
    public mutating func next() async -> S.State? { await states.next() }
  }

  /// Starts the screen.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(Run(runner: Runner(screen, clock: clock), events: events))
  }

  /// A running screen and the task that feeds it events; ends with the iterator.
  fileprivate final class Run: Sendable {
    let runner: Runner<S>
    private let feeder: Task<Void, Never>

    init(runner: Runner<S>, events: Events) {
      self.runner = runner
      feeder = Task { @concurrent in
        do {
          for try await event in events { runner.send(event) }
        } catch {
          // A sequence of events that fails has no more events: the same as its end.
        }
        runner.finish()
      }
    }

    deinit {
      feeder.cancel()
      runner.stop()
    }
  }
}
