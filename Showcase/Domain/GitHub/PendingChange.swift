public import Foundation

/// A change that the user has made and the host has not confirmed: it waits to be sent, or for the user's decision.
public struct PendingChange: Identifiable, Equatable, Sendable {
  /// The content of a change.
  public enum Content: Equatable, Sendable {
    /// The star of a repository, set or removed.
    case star(RepositoryName, isOn: Bool)
    /// A new comment on an issue.
    case comment(IssueComment, on: Issue.Reference)
    /// Other texts of an issue.
    case edit(IssueEdit)
  }

  /// The state of a change.
  public enum State: Equatable, Sendable {
    /// It will be sent; after a failure, again.
    case waiting
    /// It will be sent when the host can be reached.
    case waitingForNetwork
    /// The host rejected the user's credentials.
    case waitingForSignIn
    /// It is being sent.
    case sending
    /// The host's response was lost, and a repetition could have a second effect.
    case unknown
    /// Another user has changed the same text meanwhile, to the host's present texts.
    case conflict(theirs: IssueTexts)
    /// The host has refused it, with a sentence for the user; it no longer shows.
    case refused(String)
    /// Another version of the app has made it.
    case unreadable
  }

  /// The user's decision about a change.
  public enum Decision: String, CaseIterable, Sendable {
    /// The change is sent again; after a conflict, in place of the other user's texts.
    case send
    /// The host has the change already.
    case done
    /// The change is discarded.
    case drop
  }

  /// The identity, which lasts until the host has confirmed the change.
  public let id: UUID
  /// The content; `nil` if it is unreadable.
  public let content: Content?
  /// The state.
  public let state: State

  /// Creates a change.
  public init(id: UUID, content: Content?, state: State) {
    (self.id, self.content, self.state) = (id, content, state)
  }

  /// The decisions that the user may make; the change waits for one of several.
  public var decisions: [Decision] {
    switch state {
    case .waiting, .waitingForNetwork, .waitingForSignIn, .unreadable: [.drop]
    case .sending: []
    case .unknown: [.send, .done, .drop]
    case .refused, .conflict: [.send, .drop]
    }
  }
}
