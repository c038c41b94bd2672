import CurlewTerminal
import Domain
import Foundation
import Testing
import showcase

/// A list of issues as text, for different terminals.
@Suite(.timeLimit(.minutes(1)))
struct IssueTableTests {
  let issue: Domain.Issue
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws {
    issue = Domain.Issue(
      repository: try #require(RepositoryName("apple/swift")), number: 7,
      title: "Tidy\u{1B}[2J up", body: "",
      labels: [.init(name: "bug", color: "d73a4a"), .init(name: "docs\u{7}", color: "ffffff")],
      author: "ada", createdAt: now.addingTimeInterval(-86_400), comments: 3)
  }

  func text(_ width: Int?, _ environment: [String: String] = [:]) async throws -> String {
    try await Printout(Listing([issue]), title: "apple/swift")
      .text(on: Terminal(windowWidth: width, environment: environment), now: now)
  }

  @Test func `pipe gets plain rows of any length`() async throws {
    #expect(
      try await text(nil, ["TERM": "xterm", "COLUMNS": "20"]) == """
         #  TITLE        LABELS      AUTHOR  AGE        COMMENTS
        #7  Tidy\u{FFFD}[2J up  bug, docs\u{FFFD}  ada     1 day ago         3

        """)
  }

  @Test func `terminal gets the present name and coloured labels`() async throws {
    let text = try await text(100, ["TERM": "xterm", "COLORTERM": "truecolor"])
    #expect(text.hasPrefix("\u{1B}[1mapple/swift: 1 open issue\u{1B}[0m\n"))
    let red = "\u{1B}[38;5;231;48;2;215;58;74mbug\u{1B}[0m"
    #expect(text.contains("\(red), \u{1B}[38;5;16;48;2;255;255;255mdocs\u{FFFD}\u{1B}[0m "))
    #expect(!text.contains("\u{1B}[2J"))
  }

  @Test func `watched issue is a row without age and comments`() {
    let line = issue.line(on: Terminal(windowWidth: nil, environment: [:]))
    #expect(line == "#7  Tidy\u{FFFD}[2J up  bug, docs\u{FFFD}  ada")
    let narrow = issue.line(on: Terminal(windowWidth: 24, environment: [:]))
    #expect(narrow.hasPrefix("#7  Tidy") && narrow.terminalWidth <= 24)
  }

  @Test func `label that is cut keeps its colour`() async throws {
    let text = try await text(62, ["TERM": "xterm", "COLORTERM": "truecolor"])
    #expect(
      text.contains("48;2;255;255;255mdoc…\u{1B}[0m") || text.contains("mdocs\u{FFFD}\u{1B}[0m"))
  }
}
