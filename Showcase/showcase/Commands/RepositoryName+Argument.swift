import Application
import ArgumentParser
import Domain

/// The name of a repository as an argument.
struct RepositoryArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The repository, or its address on github.com; former names work.",
      valueName: "owner/name"))
  var repository: String

  func validate() throws { _ = try name }

  /// The name; throws a hint for an invalid name.
  var name: RepositoryName {
    get throws {
      guard let name = RepositoryName(repository) else { throw ValidationError(IssueTracker.hint) }
      return name
    }
  }
}
