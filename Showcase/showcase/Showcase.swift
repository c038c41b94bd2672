import ArgumentParser
import Foundation

/// The command line: `serve` (the default) and `issues`.
@main
struct Showcase: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "showcase",
    abstract: "Track a repository's issues, in the browser or in the terminal.",
    discussion: """
      Without a subcommand it serves the pages on http://127.0.0.1:8080/issues. It needs no network \
      and no account: a sandbox within the process answers as GitHub would. \
      'showcase help serve' lists the options.

        showcase                       serve the pages against the sandbox
        showcase --live --port 9000    serve them against api.github.com
        showcase issues apple/swift    print a list
      """,
    version: version,
    subcommands: [Serve.self, Issues.self],
    defaultSubcommand: Serve.self)

  static func main() async {
    // A reader that leaves early (`| head`) is an error of `write` then, not the process's end.
    signal(SIGPIPE, SIG_IGN)
    // A closed standard stream would be given to the next file or socket that is opened.
    while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
      guard descriptor <= 2 else {
        close(descriptor)
        break
      }
    }
    do {
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    let failure: Failure
    switch error {
    case let error as Failure: failure = error
    // Whoever read the output has seen enough.
    case let error as StandardStream.WriteFailure where error.isClosed: exit()
    case let error as StandardStream.WriteFailure:
      failure = Failure("The output can't be written: \(error).", status: .outputError)
    default:
      // The help, or the version, was asked for.
      if exitCode(for: error).isSuccess { exit(withError: error) }
      failure = Failure(message(for: error), status: .usage)
    }
    failure.report()
    exit(withError: ExitCode(failure.status.rawValue))
  }
}
