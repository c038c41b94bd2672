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
      Opens it in the sandbox of the newest running 'showcase serve', whose pages show it: serve \
      keeps its address in a file in the folder 'serve' of the cache folder, and a lock on the \
      file while it runs. Without a server, or with an option of the sandbox, the sandbox and the \
      issue end with the command, which demonstrates the request.

      \(Failure.legend)
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "owner/name"))
  var repository: String

  @Argument(help: "The title.")
  var title: String

  @Option(help: ArgumentHelp("The description, in Markdown.", valueName: "text"))
  var body = ""

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func run() async throws {
    var draft = IssueDraft()
    (draft[.repository], draft[.title], draft[.body]) = (repository, title, body)
    let problems = IssueDraft.Field.allCases.compactMap { draft.problem(in: $0) }
    guard problems.isEmpty else {
      throw Failure(problems.joined(separator: " "), status: .usage)
    }
    let server = options.allowsRunningSandbox ? RunningServer.newest : nil
    let issue = try await Backend.run(options, runningSandbox: server?.sandbox) {
      [draft] backend in
      try await backend.sources.host.open(draft, key: UUID().uuidString)
    }
    guard !output.json else {
      return try StandardStream.output.write(Domain.Issue.json(issue).json)
    }
    try StandardStream.output.write(
      "#\(issue.number) \(issue.title)".printable + "\n"
        + "in \(issue.repository), by \(issue.author)".printable + "\n"
        + (server.map { "shown by \($0.url)".printable + "\n" } ?? ""))
  }
}
