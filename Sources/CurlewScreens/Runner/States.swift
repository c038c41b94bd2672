/// The states of a running screen: the current one, then each new one; a slow consumer gets the
/// newest.
public struct States<S: Screen>: AsyncSequence, Sendable {
  let runner: Runner<S>

  /// Iterates over the states of a running screen.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let runner: Runner<S>
    private var seen: UInt64 = 0

    fileprivate init(runner: Runner<S>) {
      self.runner = runner
    }

    /// Waits for a state newer than the last one returned, and returns the newest; `nil` when the
    /// runner was stopped or the task is cancelled.
    public mutating func next() async -> S.State? {
      guard await runner.stateChanges.arrive(after: seen) else { return nil }
      return runner.newest(&seen)
    }
  }

  /// Returns an iterator that begins with the current state.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(runner: runner) }
}

extension Screen {
  /// Runs the screen on a sequence of events while the returned sequence of states is iterated.
  ///
  /// The first state is the initial one. The sequence ends when the events have ended and no work
  /// is left. Ending the iteration, or cancelling its task, cancels all work except writes.
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

/// The states of a screen that handles a sequence of events.
public struct ScreenStates<S: Screen, Events: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Events.Element == S.Event {
  fileprivate let screen: S
  fileprivate let events: Events
  fileprivate let clock: any Clock<Duration>

  /// Iterates over the states, and runs the screen while it exists.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let run: Run
    private var states: States<S>.AsyncIterator

    fileprivate init(_ run: Run) {
      self.run = run
      states = run.runner.states.makeAsyncIterator()
    }

    /// Waits for a state newer than the last one returned, and returns the newest; `nil` at the
    /// end.
    public mutating func next() async -> S.State? { await states.next() }
  }

  /// Starts the screen and returns an iterator over its states.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(Run(runner: Runner(screen, clock: clock), events: events))
  }

  /// A running screen and the task that sends it events; it stops when the iterator is released.
  fileprivate final class Run: Sendable {
    let runner: Runner<S>
    private let feeder: Task<Void, Never>

    init(runner: Runner<S>, events: Events) {
      self.runner = runner
      runner.begin()
      feeder = Task { @concurrent in
        do {
          for try await event in events { runner.send(event) }
        } catch {
          // A failure of the event sequence is treated like its end.
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
