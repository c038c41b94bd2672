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
    /// A new state was delivered.
    case state(S.State)
  }

  /// The time since the runner was created, on its clock.
  public let time: Duration
  /// The kind of occurrence.
  public let kind: Kind
}
