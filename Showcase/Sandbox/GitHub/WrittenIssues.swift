import Foundation

/// The issues that users have opened, closed or reopened since the start of the sandbox.
struct WrittenIssues: Sendable {
  private var issues: [Int: [Issue]] = [:]
  /// The issue created for each idempotency key.
  private var keys: [String: Issue] = [:]
  /// The current versions of the issues with a changed state, by repository and number.
  private var changed: [Int: [Int: Issue]] = [:]

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

  /// Returns a repository's issues with the states set by users.
  func present(_ issues: [Issue], of repository: Repository) -> [Issue] {
    guard let states = changed[repository.id] else { return issues }
    return issues.map { states[$0.number] ?? $0 }
  }

  /// Closes or reopens an issue; does nothing if it already has this state.
  ///
  /// - Returns: The current version of the issue.
  mutating func change(
    _ issue: Issue, of repository: Repository, isOpen: Bool, at date: Date
  ) -> Issue {
    // Another client may have changed the issue in the meantime.
    var issue = changed[repository.id]?[issue.number] ?? issue
    guard isOpen != (issue.closed == nil) else { return issue }
    issue.closed = isOpen ? nil : date
    issue.updated = date
    issue.reason = isOpen ? "reopened" : "completed"
    changed[repository.id, default: [:]][issue.number] = issue
    return issue
  }
}
