import ArgumentParser
import Domain
import Foundation

/// `showcase repository OWNER/NAME`: the details of a repository.
struct RepositoryCommand: DetailCommand {
  static let configuration = CommandConfiguration(
    commandName: "repository",
    abstract: "Print the details of a repository.",
    discussion: Failure.legend)

  @OptionGroup var repository: RepositoryArgument

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var name: String { get throws { "repository \(try repository.name)" } }

  func find(on backend: Backend) async throws -> Repository? {
    try await backend.sources.host.repository(named: repository.name)
  }

  func facts(of repository: Repository) -> [Fact] { repository.facts }
}
