import Synchronization

/// The issues that users have written since the start, the newest first.
final class WrittenIssues: Sendable {
  private struct State {
    var issues: [Int: [Issue]] = [:]
    /// The issue that each key has made.
    var keys: [String: Issue] = [:]
  }

  /// What became of a request to write an issue.
  enum Outcome {
    case issue(Issue)
    /// The key was used for another content.
    case usedKey
    case tooMany
  }

  /// Each takes memory for as long as the sandbox runs.
  private static let most = 1_000

  private let state = Mutex(State())

  func issues(of repository: Repository) -> [Issue] {
    state.withLock { $0.issues[repository.id] ?? [] }
  }

  /// Writes an issue, once for each key (draft-ietf-httpapi-idempotency-key-header).
  ///
  /// - Parameters:
  ///   - title: The title, and `body` the description, which a repetition has, too.
  ///   - make: Makes the issue with how many the repository has had before.
  func write(
    in repository: Repository, key: String?, title: String, body: String?, _ make: (Int) -> Issue
  ) -> Outcome {
    state.withLock { state in
      let key = key.map { "\(repository.id) \($0)" }
      if let written = key.flatMap({ state.keys[$0] }) {
        return written.title == title && written.body == body ? .issue(written) : .usedKey
      }
      let count = state.issues[repository.id]?.count ?? 0
      guard count < Self.most, state.keys.count < Self.most else { return .tooMany }
      let issue = make(count)
      state.issues[repository.id, default: []].insert(issue, at: 0)
      if let key { state.keys[key] = issue }
      return .issue(issue)
    }
  }
}
