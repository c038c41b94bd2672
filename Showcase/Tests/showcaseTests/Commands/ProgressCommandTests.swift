import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing

/// The progress line of `--all` at the bottom of a terminal.
@Suite(.timeLimit(.minutes(1)))
struct ProgressCommandTests {
  /// Slow enough to show the progress bar for each page, even on a busy machine.
  static let slow = ["repositories", "swift", "--all", "--latency", "700"]
  static let environment = ["TERM": "xterm-256color", "COLORTERM": ""]

  /// Runs a command with a terminal as its standard error.
  func run(
    _ arguments: [String], environment: [String: String] = environment,
    isShells: Bool = false, onText: @escaping @Sendable (String) -> Void = { _ in },
    onStart: (Int32) -> Void = { _ in }
  ) async throws -> (outcome: Command.Outcome, screen: String) {
    var terminal: PseudoTerminal? = try PseudoTerminal(columns: 60)
    let screen = try #require(terminal?.read(onText: onText))
    let outcome = try await Command.run(
      arguments, environment: environment, error: try #require(terminal?.terminal),
      isShells: isShells, onStart: onStart)
    try terminal?.terminal.close()
    let text = await screen.value
    terminal = nil
    return (outcome, text)
  }

  @Test func `bar is drawn in one line and cleared`() async throws {
    let (outcome, screen) = try await run(Self.slow)
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count > 40)
    #expect(!outcome.output.contains("\u{1B}"), "the table goes to a file")
    #expect(screen.contains("waiting for repositories"))
    #expect(screen.contains(/\[=+ *\] page 2 of \d, 20 repositories/))
    #expect(!screen.contains("\n"))
    #expect(screen.hasSuffix("\r\u{1B}[K"))
    for line in screen.split(separator: "\r") {
      #expect(line.replacing("\u{1B}[K", with: "").count < 60)
    }
  }

  @Test(arguments: [["TERM": "dumb"], ["TERM": ""]])
  func `terminal that cannot redraw gets no bar`(environment: [String: String]) async throws {
    let (outcome, screen) = try await run(
      ["repositories", "swift", "--all", "--latency", "150"], environment: environment)
    #expect(outcome.status == 0)
    #expect(screen == "")
  }

  @Test func `error stands in a line of its own`() async throws {
    let (outcome, screen) = try await run(Self.slow + ["--search-rate-limit", "3"])
    #expect(outcome.status == 75)
    #expect(screen.contains(/\r\u{1B}\[KError: [^\r]+ Page 4 and the following pages[^\r]+\r\n$/))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `interruption leaves the cursor at a lines start`(signal: Int32) async throws {
    // The process ID or the output may arrive first.
    let state = Mutex((number: Int32?.none, isWaiting: false))
    let interrupt = { @Sendable (change: (inout (number: Int32?, isWaiting: Bool)) -> Void) in
      state.withLock { state in
        change(&state)
        guard state.isWaiting, let number = state.number.take() else { return }
        kill(number, signal)
      }
    }
    // So slow that the command can't end before the signal, even on a busy machine.
    let (outcome, screen) = try await run(
      ["repositories", "--all", "--latency", "3600000"], isShells: Command.canBeShells,
      onText: { text in interrupt { $0.isWaiting = text.contains("waiting for") } },
      onStart: { process in interrupt { $0.number = process } })
    #expect(!outcome.isExit, "it ends by the signal, so that a shell's loop ends, too")
    #expect(outcome.status == signal)
    #expect(outcome.output == "")
    #expect(screen.hasSuffix("waiting for repositories\r"), "the cursor is where a line starts")
  }
}
