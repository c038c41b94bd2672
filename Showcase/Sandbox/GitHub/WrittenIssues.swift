/// The issues that users have written since the start.
struct WrittenIssues: Sendable {
  private var issues: [Int: [Issue]] = [:]
  /// The issue that each key has made.
  private var keys: [String: Issue] = [:]

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
}
