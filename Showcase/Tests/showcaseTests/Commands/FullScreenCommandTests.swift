import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing
import showcase

/// `showcase screen` on a terminal, with real keys.
@Suite(.timeLimit(.minutes(2)))
struct FullScreenCommandTests {
  /// A simulated user of a terminal, who waits for texts and performs actions.
  final class User: Sendable {
    typealias Step = (text: String, action: @Sendable (PseudoTerminal, Int32) throws -> Void)

    private let steps: Mutex<[Step]>
    private let process = Mutex<Int32?>(nil)
    private let seen = Mutex(0)

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    var isDone: Bool { steps.withLock(\.isEmpty) }

    func started(_ number: Int32) { process.withLock { $0 = number } }

    /// Checks the new output since the last step.
    func see(_ text: String, at terminal: PseudoTerminal) {
      guard let number = process.withLock(\.self), let step = steps.withLock(\.first) else {
        return
      }
      let new = text.utf8.dropFirst(seen.withLock(\.self))
      guard String(decoding: new, as: UTF8.self).contains(step.text) else { return }
      seen.withLock { $0 = text.utf8.count }
      steps.withLock { _ = $0.removeFirst() }
      try? step.action(terminal, number)
    }
  }

  private func run(
    _ arguments: [String], environment: [String: String] = [:], isShells: Bool = false,
    _ steps: [User.Step]
  ) async throws -> (outcome: Command.Outcome, screen: String, isForLines: Bool) {
    let user = User(steps)
    let terminal = try PseudoTerminal(columns: 80)
    let latest = Mutex("")
    let screen = terminal.read { text in
      latest.withLock { $0 = text }
      user.see(text, at: terminal)
    }
    let outcome = try await Command.run(
      ["screen"] + arguments, keyboard: terminal.terminal,
      environment: ["TERM": "xterm-256color", "COLORTERM": ""].merging(environment) { $1 },
      output: terminal.terminal, isShells: isShells
    ) { number in
      user.started(number)
      // Handles output that arrived before the process ID was known.
      user.see(latest.withLock(\.self), at: terminal)
    }
    let isForLines = terminal.isForLines
    try terminal.terminal.close()
    #expect(user.isDone)
    return (outcome, await screen.value, isForLines)
  }

  private static let restored = "\u{1B}[?1049l"

  @Test func `keys search and open, and q restores the terminal`() async throws {
    let (outcome, screen, isForLines) = try await run(
      ["issues"],
      [
        ("owner/name", { terminal, _ in try terminal.type("asa-yuki/hoshizora\r") }),
        ("open issues in", { terminal, _ in try terminal.type("\u{1B}[B\u{1B}[B\r") }),
        ("Author", { terminal, _ in try terminal.type("q") }),
      ])
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    #expect(screen.hasPrefix("\u{1B}[?1049h"))
    #expect(screen.hasSuffix(Self.restored))
    #expect(screen.contains("\u{1B}[1;7m"))
    #expect(isForLines)
  }

  @Test func `window of another size is drawn anew`() async throws {
    let (outcome, screen, isForLines) = try await run(
      ["dogs"], environment: ["NO_COLOR": "1"],
      [
        (
          "Breed:",
          { terminal, number in
            terminal.resize(columns: 30, rows: 10)
            kill(number, SIGWINCH)
          }
        ),
        ("\u{1B}[10;1H", { terminal, _ in try terminal.type("\u{03}") }),
      ])
    #expect(outcome.status == 0)
    #expect(isForLines)
    #expect(screen.hasSuffix(Self.restored))
    #expect(!screen.dropLast(40).contains(/\u{1B}\[[0-9;]*m/), "NO_COLOR is respected")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `signal restores the terminal`(signal: Int32) async throws {
    let (outcome, screen, isForLines) = try await run(
      ["dogs"], isShells: Command.canBeShells, [("Breed:", { _, number in kill(number, signal) })])
    #expect(!outcome.isExit)
    #expect(outcome.status == signal)
    #expect(screen.hasSuffix(Self.restored))
    #expect(isForLines)
  }

  @Test(arguments: [(["dogs", "--lines"], "xterm"), (["dogs"], "dumb")])
  func `lines are read where they are wanted`(arguments: [String], term: String) async throws {
    let (outcome, screen, _) = try await run(
      arguments + ["/dogs?q=great"], environment: ["TERM": term],
      [("results", { terminal, _ in try terminal.type("term shiba\n\u{04}") })])
    #expect(outcome.status == 0)
    #expect(screen.contains("1 result\r\n"))
    #expect(!screen.contains("\u{1B}[?1049h"))
  }
}
