import CurlewTerminal
import Foundation
import Testing
import showcase

/// `--color`, with pipes, terminals and `NO_COLOR`.
@Suite(.timeLimit(.minutes(2)))
struct ColorOptionTests {
  @Test(arguments: [["issues", "apple/cups"], ["repository", "apple/swift"], ["cache", "list"]])
  func `Output through a pipe is coloured only on request`(command: [String]) async throws {
    if command[0] == "cache" { try await Command.succeed("movies") }
    for (options, environment, isColored) in [
      (["--color", "auto"], ["COLORTERM": "truecolor"], false),
      (["--color", "always"], ["NO_COLOR": "1", "TERM": "dumb"], true),
    ] as [([String], [String: String], Bool)] {
      let outcome = try await Command.run(command + options, environment: environment)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.output.contains("\u{1B}[2m") == isColored)
      #expect(!outcome.error.contains("\u{1B}"))
    }
  }

  @Test(
    arguments: [
      (80, [:], nil, .indexed), (80, ["NO_COLOR": "1"], nil, .none),
      (80, ["NO_COLOR": "1"], true, .indexed), (80, ["COLORTERM": "24bit"], true, .full),
      (80, [:], false, .none), (nil, [:], nil, .none), (nil, [:], true, .indexed),
    ] as [(Int?, [String: String], Bool?, Terminal.Colors)])
  func `The option overrides the environment`(
    width: Int?, environment: [String: String], isColored: Bool?, colors: Terminal.Colors
  ) {
    let terminal = Terminal(
      windowWidth: width, environment: ["TERM": "xterm"].merging(environment) { $1 },
      isColored: isColored)
    #expect(terminal.colors == colors && terminal.width == width)
  }

  @Test func `Each command has the option`() async throws {
    let dump = try await Command.succeed("--experimental-dump-help").output
    let help = try JSONDecoder().decode(Help.self, from: Data(dump.utf8))
    let leaves = help.command.leaves.filter { $0.commandName != "help" }
    #expect(leaves.count > 15)
    for command in leaves {
      let color = command.arguments?.first { $0.valueName == "when" }
      #expect(color?.allValues == ["auto", "always", "never"], "\(command.commandName)")
    }
  }

  private struct Help: Decodable {
    let command: Description
  }

  private struct Description: Decodable {
    struct Argument: Decodable {
      let valueName: String?
      let allValues: [String]?
    }

    let commandName: String
    let arguments: [Argument]?
    let subcommands: [Description]?

    var leaves: [Description] { subcommands?.flatMap(\.leaves) ?? [self] }
  }
}
