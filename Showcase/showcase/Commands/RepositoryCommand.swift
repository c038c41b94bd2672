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

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var name: String { get throws { "repository \(try repository.name)" } }

  func find(on backend: Backend) async throws -> Repository? {
    try await backend.sources.host.repository(named: repository.name)
  }

  func card(of repository: Repository, on terminal: Terminal, isFictitious: Bool) -> String {
    repository.card(on: terminal, isFictitious: isFictitious)
  }
}

extension Repository {
  /// Returns a line for each known value; a terminal wraps long lines.
  package func card(on terminal: Terminal, isFictitious: Bool) -> String {
    facts(isFictitious: isFictitious && terminal.width != nil).card(in: terminal.colors)
  }

  /// Returns the values with their names; unknown values are empty.
  func facts(isFictitious: Bool = false) -> [(name: String, value: String)] {
    let count = { (count: Int?) in count.map { "\($0)" } ?? "" }
    return [
      ("Name", "\(name)" + (isFictitious ? " (sandbox data)" : "")),
      ("Description", summary ?? ""), ("Language", language ?? ""), ("Stars", count(stars)),
      ("Forks", count(forks)), ("Watchers", count(watchers)), ("Open issues", count(openIssues)),
      ("Topics", topics.joined(separator: ", ")), ("Licence", licence ?? ""),
      ("Link", link?.absoluteString ?? ""),
    ]
  }
}
