import ArgumentParser
import CurlewTerminal
import Domain
import Foundation

/// `showcase open OWNER/NAME TITLE`: opens an issue in the sandbox.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open an issue in the sandbox.",
    discussion: """
      The sandbox, and the issue in it, end with the command, which demonstrates the request; \
      --verbose prints details. Exits with 64 if the issue is invalid.

      """ + Failure.legend)

  @Argument(help: ArgumentHelp("The repository.", valueName: "owner/name"))
  var repository: String

  @Argument(help: "The title.")
  var title: String

  @Option(help: ArgumentHelp("The description, in Markdown.", valueName: "text"))
  var body = ""

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func run() async throws {
    var draft = IssueDraft()
    (draft[.repository], draft[.title], draft[.body]) = (repository, title, body)
    let problems = IssueDraft.Field.allCases.compactMap { draft.problem(in: $0) }
    guard problems.isEmpty else {
      throw Failure(problems.joined(separator: " "), status: .usage)
    }
    let issue = try await Backend.run(options) { [draft] backend in
      try await backend.sources.host.open(draft, key: UUID().uuidString)
    }
    try StandardStream.output.write(
      "#\(issue.number) \(issue.title)".printable + "\n"
        + "in \(issue.repository), by \(issue.author)".printable + "\n")
  }
}
