import Foundation
import ShowcaseTestSupport
import Testing

/// `showcase screen` on a terminal, with real keys; how a process leaves its terminal is tested in CurlewTerminal.
@Suite(.timeLimit(.minutes(2)))
struct FullScreenCommandTests {
  @Test func `keys search and open, and q restores the terminal`() async throws {
    let terminal = try PseudoTerminal(columns: 80)
    let screen = terminal.read()
    let user = Task {
      var seen = 0
      for (text, keys) in [
        ("owner/name", "asa-yuki/hoshizora\r"), ("open issues in", "\u{1B}[B\u{1B}[B\r"),
        ("Author", "q"),
      ] {
        seen = await terminal.wait(for: text, after: seen)
        try terminal.type(keys)
      }
    }
    let outcome = try await Command.run(
      ["screen", "issues"], keyboard: terminal.terminal,
      environment: ["TERM": "xterm-256color", "COLORTERM": ""], output: terminal.terminal)
    try await user.value
    #expect(outcome.status == 0 && outcome.error == "" && terminal.isForLines)
    try terminal.terminal.close()
    let text = await screen.value
    #expect(text.hasPrefix("\u{1B}[?1049h") && text.hasSuffix("\u{1B}[?1049l"))
    #expect(text.contains("\u{1B}[1;7m"))
  }

  @Test(.enabled(if: Command.canBeShells), arguments: [[], ["--record-trace"]])
  func `a signal restores the terminal, also while a screen is recorded`(
    option: [String]
  ) async throws {
    try await Command.withFile("") { path in
      let terminal = try PseudoTerminal(columns: 80)
      let screen = terminal.read()
      let outcome = try await Command.run(
        ["screen", "dogs"] + option.flatMap { [$0, path] }, keyboard: terminal.terminal,
        environment: ["TERM": "xterm-256color"], output: terminal.terminal, isShells: true
      ) { number in
        Task {
          await terminal.wait(for: "Breed:")
          kill(number, SIGINT)
        }
      }
      #expect(outcome.isExit == !option.isEmpty)
      #expect(outcome.status == (option.isEmpty ? SIGINT : 128 + SIGINT))
      #expect(terminal.isForLines)
      try terminal.terminal.close()
      #expect(await screen.value.hasSuffix("\u{1B}[?1049l"))
    }
  }
}
