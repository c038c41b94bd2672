/// A step of a piece of work.
public enum WorkStep: Sendable, Equatable {
  /// A load waits for its delay, such as a debounced search, or waits again because newer work with
  /// the same name has postponed it.
  case waiting(delay: Duration)
  /// A load does not start after its delay: its condition does not hold, because there is nothing new
  /// to load.
  case skipped
  /// The work started; a debounced load starts after its delay.
  case started
  /// Newer work with the same name replaced the work.
  case replaced
  /// The screen cancelled the work, its part was removed, or the runner was suspended or stopped.
  case cancelled
  /// The work finished; with the error's text if it failed.
  case finished(error: String?)
}

/// One occurrence in a runner, for inspectors, logs and traces.
public enum RunnerRecord<S: Screen>: Sendable {
  /// An event was sent.
  case event(S.Event)
  /// A piece of work waits, started or ended.
  ///
  /// The work's name includes the parts of the screen that contain it. `run` identifies a run of the
  /// work: its start and its end share the number, and it is zero while the work waits. Started work
  /// ends exactly once, unless the runner is deallocated.
  case work(WorkID, WorkStep, run: UInt64)
  /// Running work delivered a value before it ends, such as a stream's element, or its result right before it finishes.
  case delivered(Result<any Sendable, any Error>, by: WorkID, run: UInt64)
  /// The screen was suspended; with `false`, resumed.
  case suspended(Bool)
  /// A new state was delivered.
  case state(S.State)
  /// The activity has changed.
  case activity(ScreenActivity)
}
