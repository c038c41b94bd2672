/// A place that keeps repositories and their issues.
public protocol CodeHost: Sendable {
  /// Finds a repository; `nil` when there is none by this name.
  func repository(named name: RepositoryName) async throws -> Repository?

  /// Lists the open issues of a repository, the newest first: at least the first hundred.
  func openIssues(of repository: Repository) async throws -> IssueList
}
