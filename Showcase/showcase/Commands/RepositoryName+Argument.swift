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

  /// The name; what to type instead is thrown when it is none.
  var name: RepositoryName {
    get throws {
      guard let name = RepositoryName(repository) else { throw ValidationError(IssueTracker.hint) }
      return name
    }
  }
}
