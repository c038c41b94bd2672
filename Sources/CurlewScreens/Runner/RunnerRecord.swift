/// Something that happened to a piece of work.
public struct WorkStep: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// It began; a load that waits (debounce) has not begun yet.
    case started
    /// Newer work with the same name took its place.
    case replaced
    /// The screen cancelled it, its part or its runner has gone, or the runner was suspended.
    case cancelled
    /// It came to its end by itself; with the error's text if it failed.
    case finished(error: String?)
  }

  /// The name of the work, with the parts of the screen that it is in.
  public let id: WorkID
  /// What happened.
  public let kind: Kind
}

/// Something that happened in a runner, for inspectors, logs and traces.
public struct RunnerRecord<S: Screen>: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// An event was sent.
    case event(S.Event)
    /// Something happened to a piece of work. Each that was started ends exactly once, unless
    /// the runner is dropped.
    case work(WorkStep)
    /// A new state was delivered.
    case state(S.State)
  }

  /// When it happened: the time since the runner was made, on its clock.
  public let time: Duration
  /// What happened.
  public let kind: Kind
}
