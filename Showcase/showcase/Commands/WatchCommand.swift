import Application
import ArgumentParser
import Curlew
import Domain
import Foundation

/// `showcase watch OWNER/NAME`: prints a line for each newly opened issue.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a repository's issues as they are opened, until Control-C.",
    discussion: """
      Each line is printed immediately. A lost connection is reopened, and the issues that were \
      opened meanwhile are printed. Only the sandbox sends such events, not GitHub.

      \(Failure.legend)
      """)

  @OptionGroup var repository: RepositoryArgument

  @Option(help: ArgumentHelp("Stop after this many issues.", valueName: "n"))
  var count: Int?

  @Flag(help: "Print each issue as a line of JSON with every field, for scripts.")
  var json = false

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be 1 or more, not \(count).") }
  }

  func run() async throws {
    let name = try repository.name
    try await Backend.run(options) { try await print(name, from: $0.sources.host) }
  }

  private func print(_ name: RepositoryName, from host: any CodeHost) async throws {
    guard let repository = try await host.repository(named: name) else {
      throw Failure("Nothing found: there is no repository \(name).", status: .nothingFound)
    }
    let terminal = Terminal(of: .output)
    if terminal.width != nil {
      try StandardStream.error.write("Watching \(repository.name). Press Control-C to stop.\n")
    }
    var printed = 0
    do {
      for try await event in host.openedIssues(of: repository.name, after: nil) {
        switch event.content {
        case .damaged:
          try StandardStream.error.write("1 event could not be read and was left out.\n")
        case .opened(let issue):
          try StandardStream.output.write(
            json ? Domain.Issue.json(issue).jsonLine : issue.line(on: terminal) + "\n")
          printed += 1
          if printed == count { return }
        }
      }
    } catch let error as Client.Error {
      // At the end of a recording, the client can't reconnect.
      guard options.isReplay, printed > 0, case .invalidRequest = error else { throw error }
    }
  }
}

extension Domain.Issue {
  /// Returns a line such as `#12  Crash in the parser  bug  ada`, fitted to the terminal's width.
  func line(on terminal: Terminal) -> String {
    let row = IssueRow(self, now: createdAt)
    let end = (row.labels.map(\.name).joined(separator: ", ").printable, row.author.printable)
    let rest = [end.0, end.1].filter { !$0.isEmpty }.map { "  \($0)" }.joined()
    let number = row.number.padded(to: 7)
    let title = row.title.printable
    guard let width = terminal.width else { return "\(number) \(title)\(rest)" }
    // If the line is too long, the title gets two thirds of it.
    let space = max(0, width - number.count - 1)
    let shown = title.fitted(to: max(space - rest.terminalWidth, space * 2 / 3))
    return number.styled("2", in: terminal.colors) + " " + shown
      + rest.fitted(to: max(0, space - shown.terminalWidth)).styled("2", in: terminal.colors)
  }
}
