import ArgumentParser
import Domain
import Foundation

/// `showcase repository OWNER/NAME`: one repository at length.
struct RepositoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repository",
    abstract: "Print the details of a repository.",
    discussion: Failure.legend)

  @Argument(
    help: ArgumentHelp(
      "The repository, or its address on github.com; former names work.",
      valueName: "owner/name"))
  var repository: String

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: "Source of the data (default: the sandbox, local mock servers)")
  var options: SourceOptions

  func validate() throws {
    _ = try RepositoryName(argument: repository)
  }

  func run() async throws {
    let (name, source) = (try RepositoryName(argument: repository), options.source)
    let (found, isMadeUp) = try await Backend.run(source) { [options] backend in
      do {
        let value = try await options.waiting(for: "the repository") {
          try await backend.sources.host.repository(named: name)
        }
        return (value, backend.isMadeUp)
      } catch {
        throw Failure(error)
      }
    }
    guard let found else {
      if json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no repository \(name).", status: .nothingFound)
    }
    if json {
      try StandardStream.output.write(Repository.json(found).json)
    } else {
      try StandardStream.output.write(
        found.card(on: Terminal(of: .output), isMadeUp: isMadeUp))
      if let age = AgeView(asOf: found.asOf, isOffline: false, now: Date()), !age.isNew {
        try StandardStream.error.write(age.text + ".\n")
      }
    }
  }
}

extension Repository {
  /// A line for each value that is known; a terminal breaks long ones.
  func card(on terminal: Terminal, isMadeUp: Bool) -> String {
    let count = { (count: Int?) in count.map { "\($0)" } ?? "" }
    return [
      ("Name", "\(name)" + (isMadeUp && terminal.width != nil ? " (sandbox data)" : "")),
      ("Description", summary ?? ""), ("Language", language ?? ""), ("Stars", count(stars)),
      ("Forks", count(forks)), ("Watchers", count(watchers)), ("Open issues", count(openIssues)),
      ("Topics", topics.joined(separator: ", ")), ("Licence", licence ?? ""),
      ("Link", link?.absoluteString ?? ""),
    ].card(in: terminal.colors)
  }
}
