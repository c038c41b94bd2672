import Application
import CurlewScreens
import CurlewTerminal
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The five apps in a virtual terminal.
@Suite(.timeLimit(.minutes(1)))
struct TerminalPagesTests {
  private let sources = DataSources(all: TwoOfEach())

  private func open(_ address: String, columns: Int = 80) throws -> TerminalProbe {
    try terminal(at: address, on: sources, columns: columns)
  }

  @Test func `an example is opened, and a row leads to a page and back`() throws {
    let probe = try open("/repositories")
    #expect(probe.rows[1] == "Language: Swift")
    probe.press(.down, .enter)
    #expect(probe.rows.contains { $0.hasPrefix("› ") && $0.contains("apple/swift") })
    probe.press(.down, .enter)
    #expect(probe.rows.contains("Name  vapor/vapor"))
    probe.press(.text("i"))
    #expect(probe.rows.contains { $0.hasPrefix("2 open issues in vapor/vapor") })
    probe.press(.escape, .escape)
    #expect(probe.rows.contains { $0.hasPrefix("› ") && $0.contains("vapor/vapor") })
  }

  @Test func `an issue is read, beside its list in a wide window`() throws {
    let probe = try open("/issues?q=apple/swift", columns: 120)
    probe.press(.enter)
    #expect(probe.rows.contains { $0.hasPrefix("› ") && $0.hasSuffix("│") })
    #expect(probe.rows.contains { $0.hasSuffix("│ Soon.") })
    probe.resize(columns: 80, rows: 24)
    #expect(!probe.rows.contains { $0.contains("│") } && probe.rows.contains("Soon."))
    probe.press(.escape)
    #expect(!probe.rows.contains("Soon."))
    probe.press(.text("/"), .escape, .escape)
    #expect(probe.rows[1] == "Repository: owner/name" && probe.caret?.row == 1)
  }

  @Test func `a filter is opened, chosen, and applied or dismissed`() throws {
    let probe = try open("/repositories?language=swift")
    probe.press(.text("f"), .backtab, .right)
    #expect(probe.rows.contains("Stars: ‹ 100+ ›"))
    probe.press(.escape)
    #expect(!probe.rows.contains { $0.hasPrefix("Stars:") })
    probe.press(.text("f"), .backtab, .left, .text("f"))
    #expect(probe.rows.contains { $0.contains("with at least 10,000 stars") })
  }

  @Test func `a watched issue opens its page`() throws {
    let probe = try open("/watch?q=apple/swift")
    probe.press(.down, .enter)
    #expect(probe.rows[0].hasPrefix(" #7 Make it so"))
  }

  @Test func `choices change with the arrows`() throws {
    let probe = try open("/movies/now-playing")
    probe.press(.tab, .right, .tab, .left)
    #expect(probe.rows[1] == "List: Top rated  Language: ‹ 日本語 ›")
    probe.press(.down, .enter)
    #expect(probe.rows.contains { $0.hasPrefix("Title ") && $0.hasSuffix("Alien") })
  }

  @Test func `a row without a page is read in the window`() throws {
    let probe = try open("/itunes")
    probe.press(.down, .enter)
    #expect(probe.rows.contains("In space."))
    probe.press(.escape)
    #expect(probe.rows.contains { $0.hasPrefix("› 4  Alien") })
  }

  @Test func `a form is filled and sent`() throws {
    let probe = try open("/issues/new")
    probe.press(.text("apple"), .enter)
    #expect(probe.rows[2].hasPrefix("  Type a repository"))
    probe.press(.text("/swift"), .tab, .text("A title"), .down, .paste("a\nb"))
    #expect(
      probe.rows[1...3] == ["Repository: apple/swift", "Title: A title", "Description: a b"])
    probe.press(.enter)
    #expect(probe.rows.contains { $0.contains("The issue could not be opened: ") })
  }

  @Test(arguments: [(20, 8), (33, 12), (40, 12), (80, 24), (100, 7), (200, 50)])
  func `an error says its reason and the way on`(columns: Int, rows: Int) throws {
    let probe = try terminal(
      at: "/repositories?language=swift", on: DataSources(all: TwoOfEach(error: Broken())),
      columns: columns, rows: rows)
    let text = probe.rows.joined(separator: " ")
    #expect(text.contains("could not be"))
    if rows >= 12 { #expect(text.contains("Press r to try again")) }
    probe.press(.text("x"))
    #expect(!probe.rows.joined(separator: " ").contains("Press r"))
  }

  /// Opens a page at changing sizes and presses random keys: nothing old may remain in the window.
  @Test func `hard data fits every window`() throws {
    let servers = try #require(HardServers())
    let keys: [TerminalKey] = [
      .up, .down, .left, .right, .tab, .backtab, .enter, .escape, .end, .home, .pageDown, .pageUp,
      .text("x"), .text("c"), .text("r"), .text("/"), .text("👨‍👩‍👧"), .paste("a\u{1B}[2Jb"), .backspace,
    ]
    var random = SeededGenerator(seed: Fuzz.seed())
    let addresses =
      [
        "/issues?q=\(servers.name)", "/repositories?language=\(HardServers.word)",
        "/movies/top-rated", "/itunes", "/dogs?q=x",
      ]
      + ["open", "watch", "movie", "repository"].compactMap { ScreenEntry(argument: $0)?.address }
    for address in addresses {
      let probe = try terminal(at: address, on: DataSources(all: servers))
      for _ in 0..<Fuzz.runs(6) {
        let sizes = [(20, 5), (20, 8), (33, 12), (40, 12), (80, 24), (100, 7), (200, 50)]
        let (columns, rows) = sizes.randomElement(using: &random) ?? (80, 24)
        probe.resize(columns: columns, rows: rows)
        probe.press(keys.randomElement(using: &random) ?? .up)
        let shown = probe.rows
        probe.press(.control("l"))
        #expect(probe.rows == shown)
      }
    }
  }

  @Test(arguments: ["limit 5", "country xx", "limit", "constructor", "/elsewhere"])
  func `a line that is no choice is unknown`(line: String) {
    let page = TopMoviesPage(TopMovies(store: TwoOfEach()))
    #expect(page.events(of: line, in: page.screen.initial) == nil)
    #expect(page.events(of: "limit 10", in: page.screen.initial)?.count == 1)
  }
}
