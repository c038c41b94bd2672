/// Keeps repositories and their issues.
public protocol CodeHost: Sendable {
  /// Finds a repository; `nil` when there is none by this name. What the host says of it but can't be
  /// read is an error, not `nil`.
  func repository(named name: RepositoryName) async throws -> Repository?

  /// Lists the repositories that are mostly written in a language, those with the most stars first.
  func repositories(in language: String, page: Int) async throws -> Listing<Repository>

  /// Lists the open issues of a repository, the newest first, up to a hundred on a page.
  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue>
}
