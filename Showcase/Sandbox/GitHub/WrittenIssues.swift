import Foundation

/// The issues that users have opened, changed or commented on since the start of the sandbox.
struct WrittenIssues: Sendable {
  private var issues: [Int: [Issue]] = [:]
  /// The issue created for each idempotency key.
  private var keys: [String: Issue] = [:]
  /// The current versions of the changed issues, by repository and number.
  private var changed: [Int: [Int: Issue]] = [:]
  /// The comments that users have written, by repository and number.
  private var comments: [Int: [Int: [Comment]]] = [:]

  /// The issues opened in a repository, newest first.
  subscript(repository: Repository) -> [Issue] { issues[repository.id] ?? [] }

  /// Adds an issue, once for each key (draft-ietf-httpapi-idempotency-key-header).
  ///
  /// - Returns: The issue for the key; nil if it has different content.
  mutating func add(_ issue: Issue, to repository: Repository, key: String?) -> Issue? {
    let key = key.map { "\(repository.id) \($0)" }
    if let written = key.flatMap({ keys[$0] }) {
      return written.title == issue.title && written.body == issue.body ? written : nil
    }
    issues[repository.id, default: []].insert(issue, at: 0)
    if let key { keys[key] = issue }
    return issue
  }

  /// Returns a repository's issues as users have changed them.
  func present(_ issues: [Issue], of repository: Repository) -> [Issue] {
    guard let changed = changed[repository.id] else { return issues }
    return issues.map { changed[$0.number] ?? $0 }
  }

  /// Returns the written comments on an issue, oldest first.
  func comments(on issue: Issue, of repository: Repository) -> [Comment] {
    comments[repository.id]?[issue.number] ?? []
  }

  /// Adds a comment to an issue.
  mutating func comment(
    _ text: String, by author: Account, on issue: Issue, of repository: Repository, at date: Date
  ) -> Comment {
    var issue = present([issue], of: repository)[0]
    let comment = Comment(
      issue.comments, on: issue, of: repository, by: author, text, at: date)
    (issue.comments, issue.updated) = (issue.comments + 1, date)
    changed[repository.id, default: [:]][issue.number] = issue
    comments[repository.id, default: [:]][issue.number, default: []].append(comment)
    return comment
  }

  /// Changes an issue, unless a condition on its current version fails.
  ///
  /// - Returns: The current version of the issue; `nil` if the condition failed.
  mutating func change(
    _ issue: Issue, of repository: Repository, isOpen: Bool?, title: String?, body: JSON?,
    at date: Date, if condition: (Issue) -> Bool
  ) -> Issue? {
    // Another client may have changed the issue in the meantime.
    var issue = present([issue], of: repository)[0]
    guard condition(issue) else { return nil }
    if let isOpen, isOpen != (issue.closed == nil) {
      issue.closed = isOpen ? nil : date
      issue.reason = isOpen ? "reopened" : "completed"
      issue.updated = date
    }
    let text: String? = if case .string(let text)? = body { text } else { nil }
    if let title, title != issue.title { (issue.title, issue.updated) = (title, date) }
    if body != nil, text != issue.body { (issue.body, issue.updated) = (text, date) }
    changed[repository.id, default: [:]][issue.number] = issue
    return issue
  }
}
