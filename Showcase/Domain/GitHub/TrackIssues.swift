/// A use case that looks up a repository and lists its open issues; the list is empty if it doesn't
/// exist.
public struct TrackIssues: Sendable {
  /// The host.
  public let host: any CodeHost

  /// Creates a use case for a host.
  public init(host: any CodeHost) {
    self.host = host
  }

  /// Returns a page of the open issues of the repository with a current or former name.
  public func callAsFunction(_ name: RepositoryName, page: Int = 1) async throws -> Listing<Issue> {
    guard let repository = try await host.repository(named: name) else { return Listing([]) }
    // Both requests are cancelled together: a late response must not start the second request.
    try Task.checkCancellation()
    return try await host.openIssues(of: repository, page: page)
  }

  /// Returns an issue that is not listed because it is old or closed; `nil` if it doesn't exist.
  public func issue(_ number: Int, of name: RepositoryName) async throws -> Issue? {
    try await host.issue(number, of: name)
  }
}
