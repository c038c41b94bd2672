import CurlewTerminal
import Foundation
import ShowcaseTestSupport
import Testing
import showcase

/// `showcase issues` on a terminal.
@Suite(.timeLimit(.minutes(1)))
struct TerminalCommandTests {
  func show(
    columns: UInt16, environment: [String: String] = [:]
  ) async throws -> (lines: [String], text: String) {
    var terminal: PseudoTerminal? = try PseudoTerminal(columns: columns)
    let screen = try #require(terminal?.read())
    let outcome = try await Command.run(
      "issues", "asa-yuki/hoshizora",
      environment: ["TERM": "xterm-256color", "COLORTERM": ""].merging(environment) { $1 },
      output: try #require(terminal?.terminal))
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    try terminal?.terminal.close()
    let text = await screen.value.replacing("\r\n", with: "\n")
    terminal = nil
    let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    return (plain.split(separator: "\n").map(String.init), text)
  }

  @Test(arguments: [60, 80, 132] as [UInt16])
  func `table fits the window`(columns: UInt16) async throws {
    let (lines, text) = try await show(columns: columns)
    #expect(lines.first?.hasPrefix("asa-yuki/hoshizora: ") == true)
    #expect(lines.count > 20)
    #expect(lines.allSatisfy { !$0.contains("\u{1B}") && $0.terminalWidth <= Int(columns) })
    #expect(text.contains("\u{1B}[2m"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": ""]])
  func `colour can be switched off`(environment: [String: String]) async throws {
    let (_, text) = try await show(columns: 120, environment: environment)
    #expect(!text.contains("\u{1B}"))
  }
}
