/// Finds a repository and lists its open issues; where nothing is found, nothing is listed.
public struct TrackIssues: Sendable {
  /// The host.
  public let host: any CodeHost

  /// Tracks the issues of a host.
  public init(host: any CodeHost) {
    self.host = host
  }

  /// Returns a page of the open issues of the repository that a name leads to.
  public func callAsFunction(_ name: RepositoryName, page: Int = 1) async throws -> Listing<Issue> {
    guard let repository = try await host.repository(named: name) else { return Listing([]) }
    // The chain is cancelled as one: a response that comes too late starts nothing.
    try Task.checkCancellation()
    return try await host.openIssues(of: repository, page: page)
  }

  /// Returns an issue that is in no list, because it is old or closed; `nil` when there is none.
  public func issue(_ number: Int, of name: RepositoryName) async throws -> Issue? {
    try await host.issue(number, of: name)
  }
}
