/// The states of a running screen: the current state, then each new state; a slow consumer gets the
/// newest state.
struct States<S: Screen>: AsyncSequence, Sendable {
  /// Returns the runner, and an object that keeps it running while an iterator exists.
  let start: @Sendable () -> (runner: Runner<S>, run: (any AnyObject & Sendable)?)

  struct AsyncIterator: AsyncIteratorProtocol {
    let runner: Runner<S>
    let run: (any AnyObject & Sendable)?
    private var seen: UInt64 = 0

    fileprivate init(_ start: (runner: Runner<S>, run: (any AnyObject & Sendable)?)) {
      (runner, run) = start
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> S.State? {
      guard await runner.stateChanges.arrive(after: seen) else { return nil }
      return runner.withStorage { storage in
        seen = runner.stateChanges.version
        return storage.shown
      }
    }
  }

  /// Returns an iterator that begins with the current state.
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(start()) }
}

extension Screen {
  /// Runs the screen on a sequence of events while the returned sequence of states is iterated.
  ///
  /// The first state is the initial state; a slow consumer gets the newest state. The sequence ends
  /// when the events have ended and no work is left. Ending the iteration, or cancelling its task,
  /// cancels all work except writes.
  ///
  /// ```swift
  /// for await state in tracker.states(for: events) { draw(state) }
  /// ```
  public func states<Events: AsyncSequence & Sendable>(
    for events: Events, clock: any Clock<Duration> = ContinuousClock()
  ) -> some AsyncSequence<State, Never> & Sendable where Events.Element == Event {
    States {
      let runner = Runner(self, clock: clock)
      return (runner, Run(runner, events))
    }
  }
}

/// A running screen and the task that sends it events; it stops when the iterator is released.
private final class Run<S: Screen>: Sendable {
  private let runner: Runner<S>
  private let producer: Task<Void, Never>

  init<Events: AsyncSequence & Sendable>(_ runner: Runner<S>, _ events: Events)
  where Events.Element == S.Event {
    self.runner = runner
    runner.begin()
    producer = Task { @concurrent in
      do {
        for try await event in events { runner.send(event) }
      } catch {
        // A failure of the event sequence is treated like its end.
      }
      runner.finish()
    }
  }

  deinit {
    producer.cancel()
    runner.stop()
  }
}
