import Application
import CurlewLive
import Domain
import Foundation

/// The comments on an issue, and the field for another one.
struct DiscussionView: TemplateValues {
  /// The values that the view depends on.
  struct Content: Equatable {
    /// The key of the issue.
    let key: String
    let comments: [IssueComment]?
    /// The states of the comments that the host has not confirmed.
    let states: [IssueComment.ID: String]
    let isReady: Bool
    let text: String
    /// The change of the issue's texts; `nil` unless the user is editing.
    let edit: IssueEdit?
    let canEdit: Bool
    /// The state of the issue's changes that the host has not confirmed.
    let pending: String?

    /// Returns `nil` if the user can't add comments.
    init?(_ state: IssueTracker.State) {
      guard state.canComment, let issue = state.picked else { return nil }
      key = issue.key
      comments = state.comments
      (isReady, text) = (state.discussion.isReady, state.discussion.text)
      (edit, canEdit) = (state.discussion.edit, state.discussion.canEdit)
      pending = state.discussion.issue.flatMap { state.pending.text(of: $0) }
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

  /// The maximum number of characters in a field.
  static let maximumLength = 10_000

  private let content: Content
  private let comments: [Comment]
  private var isLoading: Bool { content.comments == nil && !content.isReady }
  private var isFailed: Bool { content.comments == nil && content.isReady }

  /// The comments in lines, for a terminal.
  var lines: [String] { comments.map(\.line) }

  static let names: TemplateNames<Self> = [
    "comments": \.comments, "isLoading": \.isLoading, "isFailed": \.isFailed,
    "text": \.content.text, "most": \.most, "key": \.content.key,
  ]
  private var most: Int { Self.maximumLength }

  init(_ content: Content, now: Date) {
    self.content = content
    comments = (content.comments ?? []).map {
      Comment($0, state: content.states[$0.id], now: now)
    }
  }
}

/// The form for other texts of an issue, with the texts that the user has seen.
struct EditView: TemplateValues {
  private let edit: IssueEdit
  private var key: String { "\(edit.issue.repository) \(edit.issue.number)" }
  private var replaced: String { edit.replaced?.uuidString ?? "" }
  private var most: Int { DiscussionView.maximumLength }
  private var cancel: String {
    IssuesRoute(edit.issue.repository, picked: edit.issue.number).address
  }

  static let names: TemplateNames<Self> = [
    "key": \.key, "version": \.edit.base.version, "baseTitle": \.edit.base.title,
    "baseBody": \.edit.base.body, "replaced": \.replaced, "title": \.edit.texts.title,
    "body": \.edit.texts.body, "most": \.most, "cancel": \.cancel,
  ]

  init(_ edit: IssueEdit) { self.edit = edit }
}

extension Discussion.Event {
  /// Creates an event from an action; returns `nil` for other actions.
  init?(_ action: LiveAction) {
    let value = action.value.asComment
    switch action.name {
    case "comment-text": self = .text(value)
    case "comment":
      self = .send(
        action.fields["text"]?.asComment ?? (value.isEmpty ? nil : value),
        on: action.fields["issue"].flatMap { IssuesPage.reference($0) })
    case "edit-issue": self = .edit
    case "issue-title": self = .title(value)
    case "issue-body": self = .body(value)
    case "save-issue": self = .save(IssueEdit(action.fields))
    case "cancel-edit": self = .cancel
    default: return nil
    }
  }
}

extension IssueEdit {
  /// Creates an edit from the fields of its form; `nil` for other fields.
  fileprivate init?(_ fields: LiveQuery) {
    guard let issue = fields["issue"].flatMap({ IssuesPage.reference($0) }),
      let title = fields["title"]?.asComment, let body = fields["body"]?.asComment
    else { return nil }
    let text = { (name: String) in (fields[name] ?? "").replacing("\r\n", with: "\n") }
    let version = text("version")
    self.init(
      issue,
      base: IssueTexts(
        title: text("base-title"), body: text("base-body"),
        version: version.isEmpty ? nil : version),
      texts: IssueTexts(title: title, body: body),
      replacing: UUID(uuidString: text("replaced")))
  }
}

extension String {
  fileprivate var asComment: String { asTyped(most: DiscussionView.maximumLength, isLong: true) }
}
