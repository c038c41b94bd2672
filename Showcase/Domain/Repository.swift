/// A repository of source code.
public struct Repository: Equatable, Sendable {
  /// Its present name, which may differ from the one that was asked for: repositories move.
  public let name: RepositoryName

  /// Creates a repository.
  public init(name: RepositoryName) {
    self.name = name
  }
}
