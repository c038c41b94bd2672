/// The states of a running screen: the current one, then each new one; a slow consumer gets the
/// newest.
struct States<S: Screen>: AsyncSequence, Sendable {
  let runner: Runner<S>

  struct AsyncIterator: AsyncIteratorProtocol {
    let runner: Runner<S>
    private var seen: UInt64 = 0

    fileprivate init(runner: Runner<S>) {
      self.runner = runner
    }

    mutating func next() async -> S.State? {
      guard await runner.stateChanges.arrive(after: seen) else { return nil }
      return runner.newest(&seen)
    }
  }

  /// Returns an iterator that begins with the current state.
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(runner: runner) }
}

extension Screen {
  /// Runs the screen on a sequence of events while the returned sequence of states is iterated.
  ///
  /// The first state is the initial one; a slow consumer gets the newest. The sequence ends when the
  /// events have ended and no work is left. Ending the iteration, or cancelling its task, cancels all
  /// work except writes.
  ///
  /// ```swift
  /// for await state in tracker.states(for: events) { draw(state) }
  /// ```
  public func states<Events: AsyncSequence & Sendable>(
    for events: Events, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<State, Never> & Sendable where Events.Element == Event {
    ScreenStates(screen: self, events: events, clock: clock)
  }
}

/// The states of a screen that handles a sequence of events.
private struct ScreenStates<S: Screen, Events: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Events.Element == S.Event {
  let screen: S
  let events: Events
  let clock: any Clock<Duration>

  /// Iterates over the states, and runs the screen while it exists.
  struct AsyncIterator: AsyncIteratorProtocol {
    let run: Run
    var states: States<S>.AsyncIterator

    mutating func next() async -> S.State? { await states.next() }
  }

  func makeAsyncIterator() -> AsyncIterator {
    let runner = Runner(screen, clock: clock)
    return AsyncIterator(
      run: Run(runner: runner, events: events), states: States(runner: runner).makeAsyncIterator())
  }

  /// A running screen and the task that sends it events; it stops when the iterator is released.
  final class Run: Sendable {
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
