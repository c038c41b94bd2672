import ArgumentParser
import Foundation

/// The command line: `serve` (the default), and a command for each screen.
@main
package struct Showcase: AsyncParsableCommand {
  /// The version of Curlew and the showcase; this is its only occurrence in the code.
  package static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "showcase",
    abstract: "Issues, repositories, movies and dogs, in the browser or in the terminal.",
    discussion: """
      Without a subcommand it serves pages on http://127.0.0.1:8080. It needs no network, no \
      account and no key: by default it uses the sandbox, local mock servers of GitHub, iTunes and \
      TMDB within the process. 'showcase help serve' lists the options.

        showcase                            serve the pages with data of the sandbox
        showcase --live --port 9000         serve them with data of the real servers
      \(examples)
        showcase screen issues              run a screen in the terminal
        showcase sign-in ada                be a user of the sandbox
        showcase cache                      list the stored responses
        showcase download URL               download a file; a second run resumes it
        showcase drift old.har new.har      show how an API's responses changed
      """,
    version: version,
    subcommands: [Serve.self] + ScreenEntry.all.map { $0.command }
      + [
        ScreenCommand.self, SignInCommand.self, SignOutCommand.self, CacheCommand.self,
        DownloadCommand.self, DriftCommand.self,
      ],
    defaultSubcommand: Serve.self)

  /// An example command line for each screen, with its result.
  private static var examples: String {
    ScreenEntry.all.map { entry in
      let line = "  showcase \(entry.example.command)"
      return line.padding(toLength: 38, withPad: " ", startingAt: 0) + entry.example.result
    }.joined(separator: "\n")
  }

  /// The names of the subcommands.
  package static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  static func main() async {
    // If the output's reader exits early (`| head`), `write` then returns an error instead of a
    // signal that ends the process.
    signal(SIGPIPE, SIG_IGN)
    // Otherwise, the descriptor of a closed standard stream would be reused for the next file or
    // socket.
    while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
      guard descriptor <= 2 else {
        close(descriptor)
        break
      }
    }
    do {
      let arguments = CommandLine.arguments.dropFirst().joiningNegativeNumbers()
      var command = try await asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  /// Returns the error for an unknown subcommand, or for options before the subcommand.
  static func noCommand(_ name: String) -> Failure {
    let text =
      "There is no subcommand '\(name)'; the subcommands are \(commandNames.joined(separator: ", "))."
    return Failure(advice ?? text, status: .usage)
  }

  private static var advice: String? {
    CommandLine.arguments.dropFirst().adviceOnOrder(of: commandNames)
  }

  private static func end(with error: any Error) -> Never {
    let failure: Failure
    switch error {
    case let error as Failure: failure = error
    // The output was already printed.
    case let code as ExitCode: exit(withError: code)
    // The reader of the output closed it.
    case let error as StandardStream.WriteFailure where error.isClosed: exit()
    case let error as StandardStream.WriteFailure:
      failure = Failure("The output can't be written: \(error).", status: .outputError)
    default:
      // The user requested the help or the version.
      if exitCode(for: error).isSuccess { exit(withError: error) }
      failure = Failure(advice ?? message(for: error), status: .usage)
    }
    failure.report()
    exit(withError: ExitCode(failure.status.rawValue))
  }
}

extension Sequence<String> {
  /// Returns the arguments with `--port -1` as `--port=-1`, which would otherwise be parsed as two
  /// options.
  func joiningNegativeNumbers() -> [String] {
    reduce(into: []) { result, argument in
      if argument.wholeMatch(of: /-[0-9].*/) != nil, let option = result.last,
        option.wholeMatch(of: /--[a-z][a-z-]*/) != nil
      {
        result[result.count - 1] = "\(option)=\(argument)"
      } else {
        result.append(argument)
      }
    }
  }

  /// Returns a hint if options come before a command; `nil` otherwise.
  func adviceOnOrder(of commands: [String]) -> String? {
    let arguments = Array(self)
    guard let first = arguments.first, first.hasPrefix("-"),
      let index = arguments.firstIndex(where: { commands.contains($0) })
    else { return nil }
    return "\(first) comes before the subcommand: options follow it, as in "
      + "'showcase \(arguments[index]) … \(first)'."
  }
}
