import Foundation

/// The issues that users have opened, closed and reopened since the start.
struct WrittenIssues: Sendable {
  private var issues: [Int: [Issue]] = [:]
  /// The issue that each key has made.
  private var keys: [String: Issue] = [:]
  /// The issues whose state was changed, as they are now, by repository and number.
  private var changed: [Int: [Int: Issue]] = [:]

  /// The issues of a repository, the newest first.
  subscript(repository: Repository) -> [Issue] { issues[repository.id] ?? [] }

  /// Adds an issue, once for each key (draft-ietf-httpapi-idempotency-key-header).
  ///
  /// - Returns: The key's first issue; nil when it has another content.
  mutating func add(_ issue: Issue, to repository: Repository, key: String?) -> Issue? {
    let key = key.map { "\(repository.id) \($0)" }
    if let written = key.flatMap({ keys[$0] }) {
      return written.title == issue.title && written.body == issue.body ? written : nil
    }
    issues[repository.id, default: []].insert(issue, at: 0)
    if let key { keys[key] = issue }
    return issue
  }

  /// Returns a repository's issues with the states that users have given them.
  func present(_ issues: [Issue], of repository: Repository) -> [Issue] {
    guard let states = changed[repository.id] else { return issues }
    return issues.map { states[$0.number] ?? $0 }
  }

  /// Closes or reopens an issue; one that is in this state already stays as it is.
  ///
  /// - Returns: The issue as it is now.
  mutating func change(
    _ issue: Issue, of repository: Repository, isOpen: Bool, at date: Date
  ) -> Issue {
    // Another client may have changed it since it was found.
    var issue = changed[repository.id]?[issue.number] ?? issue
    guard isOpen != (issue.closed == nil) else { return issue }
    issue.closed = isOpen ? nil : date
    issue.updated = date
    issue.reason = isOpen ? "reopened" : "completed"
    changed[repository.id, default: [:]][issue.number] = issue
    return issue
  }
}
