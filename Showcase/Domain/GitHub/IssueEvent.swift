/// What a host tells of a repository while somebody watches it.
public struct IssueEvent: Equatable, Sendable {
  /// What happened.
  public enum Content: Equatable, Sendable {
    /// An issue was opened.
    case opened(Issue)
    /// Something that can't be read, and why: for a log, not for users.
    case damaged(reason: String)
  }

  /// What happened.
  public let content: Content
  /// Where to go on after it; `nil` when the host doesn't say.
  public let position: String?

  /// Creates an event.
  public init(_ content: Content, position: String?) {
    self.content = content
    self.position = position
  }
}

/// The events of a repository as they happen, until whoever reads them is cancelled.
public typealias IssueEvents = Updates<IssueEvent>
