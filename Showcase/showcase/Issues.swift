import Application
import ArgumentParser
import Domain
import Foundation

/// `showcase issues OWNER/NAME`: a repository's open issues as a table or as JSON.
struct Issues: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a repository's newest open issues, at most 100.",
    discussion: """
      A terminal gets a table in colour that fits its width; NO_COLOR switches the colour off. \
      Anything else gets whole lines without colour.

      \(Failure.legend)
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository, or its address on github.com; a former name will do.",
      valueName: "owner/name"))
  var repository: String

  @Flag(help: "Print a JSON array with every field, for scripts.")
  var json = false

  @OptionGroup(title: "Source of the issues (default: a sandbox in the process)")
  var options: SourceOptions

  func validate() throws {
    _ = try name
  }

  func run() async throws {
    let (name, source) = (try name, options.source)
    let issues = try await Backend.run(source) { backend in
      do {
        return try await backend.trackIssues(name)
      } catch {
        throw Failure(error, from: source)
      }
    }
    if json {
      try StandardStream.output.write(issues.json)
    } else if !issues.isEmpty {
      try StandardStream.output.write(issues.text(for: .current, now: Date()))
    }
    if issues.isPartial, !issues.isEmpty {
      let note = "There are more open issues; these are the newest \(issues.count).\n"
      try StandardStream.error.write(note)
    }
    guard !issues.isEmpty else {
      let reason =
        issues.isPartial
        ? "the newest entries of \(name) are all pull requests"
        : "there is no repository \(name), or none of its issues is open"
      throw Failure("Nothing found: \(reason).", status: .nothingFound)
    }
  }

  private var name: RepositoryName {
    get throws {
      guard let name = RepositoryName(repository) else { throw ValidationError(IssueTracker.hint) }
      return name
    }
  }
}
