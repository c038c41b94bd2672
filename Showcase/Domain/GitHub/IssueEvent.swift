/// An event in a host's stream about a repository.
public struct IssueEvent: Equatable, Sendable {
  /// The content of an event.
  public enum Content: Equatable, Sendable {
    /// An issue was opened.
    case opened(Issue)
    /// An event that can't be decoded, and the reason, which is for logs, not for users.
    case damaged(reason: String)
  }

  /// The content.
  public let content: Content
  /// The position after which the stream resumes; `nil` if the host doesn't send it.
  public let position: String?

  /// Creates an event.
  public init(_ content: Content, position: String?) {
    self.content = content
    self.position = position
  }
}

/// The events of a repository as they happen, until the reading task is cancelled.
public typealias IssueEvents = Updates<IssueEvent>
