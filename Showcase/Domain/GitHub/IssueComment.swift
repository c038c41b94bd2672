public import Foundation

/// A comment on an issue.
public struct IssueComment: Hashable, Sendable, Identifiable {
  /// The host's identifier; negative until the host has the comment.
  public let id: Int
  /// The name of the author.
  public let author: String
  /// The text, in Markdown.
  public let text: String
  /// The creation date.
  public let createdAt: Date

  /// Creates a comment.
  public init(id: Int, author: String, text: String, createdAt: Date) {
    (self.id, self.author, self.text, self.createdAt) = (id, author, text, createdAt)
  }
}

/// The comments on an issue.
public struct IssueComments: Equatable, Sendable {
  /// The comments, oldest first, including pending ones; `nil` if they can't be loaded.
  public let all: [IssueComment]?
  /// Whether newer comments are being loaded.
  public let isLoading: Bool

  /// Creates the comments on an issue.
  public init(_ all: [IssueComment]?, isLoading: Bool = false) {
    (self.all, self.isLoading) = (all, isLoading)
  }
}
