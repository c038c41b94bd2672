import Application
import ArgumentParser
import Curlew
package import CurlewTerminal
import Domain
import Foundation

/// `showcase watch OWNER/NAME`: prints a line for each newly opened issue.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a repository's issues as they are opened, until Control-C.",
    discussion: """
      Each line is printed immediately. A lost connection is reopened, and the issues that were \
      opened meanwhile are printed. --json prints a line for each. Only the sandbox sends such events, not GitHub.

      \(Failure.legend)
      """)

  @OptionGroup var repository: RepositoryArgument

  @Option(help: ArgumentHelp("Stop after this many issues.", valueName: "n"))
  var count: Int?

  @OptionGroup var output: OutputOptions

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
    let terminal = output.terminal
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
            output.json ? Domain.Issue.json(issue).jsonLine : issue.line(on: terminal) + "\n")
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
  /// Returns the row of the issue in a table of issues, without its age and comments, which are new.
  package func line(on terminal: Terminal) -> String {
    Array(Self.columns(now: createdAt).prefix(4)).table(of: [self], on: terminal)[1]
  }
}
