/// The start or the end of a piece of work.
public struct WorkStep: Sendable, Equatable {
  /// A kind of step.
  public enum Kind: Sendable, Equatable {
    /// The work started; a debounced load starts after its delay.
    case started
    /// Newer work with the same name replaced it.
    case replaced
    /// The screen cancelled it, its part was removed, or the runner was suspended or stopped.
    case cancelled
    /// The work finished; with the error's text if it failed.
    case finished(error: String?)
  }

  /// The name of the work, including the parts of the screen that contain it.
  public let id: WorkID
  /// The kind of step.
  public let kind: Kind
  /// A number of this run of the work, which its start and its end share.
  public let run: UInt64
}

/// A step of a load that waits for its delay, such as a debounced search.
public struct WaitStep: Sendable, Equatable {
  /// A kind of step.
  public enum Kind: Sendable, Equatable {
    /// The load waits for its delay, or waits again because newer work with the same name has
    /// postponed it.
    case began(delay: Duration)
    /// The load does not start: its condition does not hold, because there is nothing new to load.
    case skipped
    /// The load was cancelled before it started.
    case cancelled
  }

  /// The name of the work, including the parts of the screen that contain it.
  public let id: WorkID
  /// The kind of step.
  public let kind: Kind
}

/// A record of one occurrence in a runner, for inspectors, logs and traces.
public struct RunnerRecord<S: Screen>: Sendable {
  /// A kind of occurrence.
  public enum Kind: Sendable {
    /// An event was sent.
    case event(S.Event)
    /// A piece of work started or ended.
    ///
    /// Work that started ends exactly once, unless the runner is deallocated.
    case work(WorkStep)
    /// A load waits before it starts, or no longer.
    case wait(WaitStep)
    /// A new state was delivered.
    case state(S.State)
  }

  /// The time since the runner was created, on its clock.
  public let time: Duration
  /// The kind of occurrence.
  public let kind: Kind
}
