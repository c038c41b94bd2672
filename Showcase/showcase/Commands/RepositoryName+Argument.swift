import Application
import ArgumentParser
import Domain

extension RepositoryName {
  /// Reads an argument.
  ///
  /// - Throws: What to type instead, when it is not a repository's name.
  init(argument: String) throws {
    guard let name = Self(argument) else { throw ValidationError(IssueTracker.hint) }
    self = name
  }
}
