import ArgumentParser
import Domain
import Foundation

/// `showcase repository OWNER/NAME`: one repository at length.
struct RepositoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repository",
    abstract: "Print what is known of a repository.",
    discussion: Failure.legend)

  @Argument(
    help: ArgumentHelp(
      "The repository, or its address on github.com; a former name will do.",
      valueName: "owner/name"))
  var repository: String

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: "Source of the data (default: a sandbox in the process)")
  var options: SourceOptions

  func validate() throws {
    _ = try RepositoryName(argument: repository)
  }

  func run() async throws {
    let (name, source) = (try RepositoryName(argument: repository), options.source)
    let (found, isMadeUp) = try await Backend.run(source) { backend in
      do {
        return (try await backend.host.repository(named: name), backend.isMadeUp)
      } catch {
        throw Failure(error, from: source)
      }
    }
    guard let found else {
      if json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no repository \(name).", status: .nothingFound)
    }
    if json {
      try StandardStream.output.write(RepositoryDocument(found).json)
    } else {
      let terminal = Terminal(of: .output)
      try StandardStream.output.write(Card(found, isMadeUp: isMadeUp).text(for: terminal))
    }
  }
}

extension Card {
  /// Describes a repository; what is not known of it is left out.
  init(_ repository: Repository, isMadeUp: Bool) {
    self.init(
      title: "\(repository.name)", note: isMadeUp ? "(sandbox data)" : nil,
      rows: [
        ("Description", repository.summary), ("Language", repository.language),
        ("Stars", repository.stars.map { "\($0)" }), ("Forks", repository.forks.map { "\($0)" }),
        ("Watchers", repository.watchers.map { "\($0)" }),
        ("Open issues", repository.openIssues.map { "\($0)" }),
        ("Topics", repository.topics.joined(separator: ", ")), ("Licence", repository.licence),
        ("Link", repository.link?.absoluteString),
      ])
  }
}
