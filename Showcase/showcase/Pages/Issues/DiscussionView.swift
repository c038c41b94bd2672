import Application
import CurlewLive
import Domain
import Foundation

/// The comments on an issue, and the field for another one.
struct DiscussionView: TemplateValues {
  /// The values that the view depends on.
  struct Content: Equatable {
    let comments: [IssueComment]?
    /// The states of the comments that the host has not confirmed.
    let states: [IssueComment.ID: String]
    let isReady: Bool
    let text: String

    /// Returns `nil` if the user can't add comments.
    init?(_ state: IssueTracker.State) {
      guard state.canComment else { return nil }
      comments = state.comments
      (isReady, text) = (state.discussion.isReady, state.discussion.text)
      states = (comments ?? []).reduce(into: [:]) { $0[$1.id] = state.pending.text(of: $1) }
    }
  }

  struct Comment: TemplateValues {
    private let comment: IssueComment
    private let age: String
    private let state: String?
    private var id: String { "\(comment.id)" }
    private var date: String { comment.createdAt.formatted(.iso8601) }
    private var body: HTML { Markdown.recentHTML(comment.text) }

    static let names: TemplateNames<Self> = [
      "id": \.id, "author": \.comment.author, "age": \.age, "date": \.date, "state": \.state,
      "body": \.body,
    ]

    /// The comment in lines, for a terminal.
    fileprivate var line: String {
      "\(comment.author), \(age)\(state.map { " (\($0))" } ?? ""):\n\(comment.text)"
    }

    init(_ comment: IssueComment, state: String?, now: Date) {
      (self.comment, self.state) = (comment, state)
      age = comment.createdAt.age(at: now) ?? "just now"
    }
  }

  private let content: Content
  private let comments: [Comment]
  private var isLoading: Bool { content.comments == nil && !content.isReady }
  private var isFailed: Bool { content.comments == nil && content.isReady }

  /// The comments in lines, for a terminal.
  var lines: [String] { comments.map(\.line) }

  static let names: TemplateNames<Self> = [
    "comments": \.comments, "isLoading": \.isLoading, "isFailed": \.isFailed,
    "text": \.content.text, "most": \.most,
  ]
  private var most: Int { PickedIssueView.maximumComment }

  init(_ content: Content, now: Date) {
    self.content = content
    comments = (content.comments ?? []).map {
      Comment($0, state: content.states[$0.id], now: now)
    }
  }
}
