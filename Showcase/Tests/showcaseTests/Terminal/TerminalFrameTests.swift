import Application
import CurlewScreens
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The lines of the window, for any size and data.
@Suite(.timeLimit(.minutes(1)))
struct TerminalFrameTests {
  private static let sizes = [(20, 5), (20, 8), (33, 12), (40, 12), (80, 24), (100, 7), (120, 40)]

  private func expectFit(
    _ frame: TerminalFrame, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(frame.lines.count == frame.size.rows, sourceLocation: sourceLocation)
    for line in frame.lines {
      let plain = line.withoutStyles
      #expect(plain.terminalWidth <= frame.size.columns, "\(plain)", sourceLocation: sourceLocation)
      #expect(!plain.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }
  }

  /// Opens a page at each size, and presses random keys.
  private func storm<Page: ShowcasePage>(_ page: Page, at address: String) {
    var random = SeededGenerator(seed: Fuzz.seed())
    let keys: [TerminalKey] = [
      .up, .down, .left, .right, .tab, .backtab, .enter, .escape, .end, .home, .pageDown, .pageUp,
      .text("x"), .text("c"), .text("r"), .text("/"), .text("👨‍👩‍👧"), .paste("a\u{1B}[2Jb"), .backspace,
    ]
    var window = TerminalWindow(page, at: address)
    for _ in 0..<Fuzz.runs(6) {
      let (columns, rows) = Self.sizes.randomElement(using: &random) ?? (80, 24)
      window.size = TerminalSize(columns: columns, rows: rows)
      window.colors = Bool.random(using: &random) ? .none : .full
      window.press(keys.randomElement(using: &random) ?? .up)
      expectFit(window.draw())
    }
  }

  @Test func `hard data fits every window`() throws {
    let servers = try #require(HardServers())
    storm(
      IssuesPage(IssueTracker(TrackIssues(host: servers))), at: "/issues?q=\(servers.name)")
    storm(
      RepositoriesPage(Repositories(host: servers, recent: .init())),
      at: "/repositories?language=\(HardServers.word)")
    storm(MoviesPage(Movies(catalogue: servers)), at: "/movies/top-rated")
    storm(TopMoviesPage(TopMovies(store: servers)), at: "/itunes")
    storm(DogsPage(DogSearch(servers)), at: "/dogs?q=x")
    for name in ["open", "watch", "movie", "repository"] {
      let entry = try #require(ScreenEntry(argument: name))
      storm(entry.page(DataSources(all: servers)), at: entry.address)
    }
  }

  @Test(arguments: sizes)
  func `error says its reason and the way on`(columns: Int, rows: Int) {
    let page = RepositoriesPage(Repositories(host: TwoOfEach(error: Broken()), recent: .init()))
    var window = TerminalWindow(
      page, at: "/repositories?language=swift", columns: columns, rows: rows)
    expectFit(window.draw())
    let text = window.lines().joined(separator: " ")
    if rows >= 8 { #expect(text.contains("could not be")) }
    if rows >= 12 { #expect(text.contains("Press r to try again")) }
    window.press(.text("x"))
    #expect(!window.lines().joined(separator: " ").contains("Press r"))
  }

  @Test func `issue is beside its list in a wide window`() {
    var window = TerminalWindow(
      IssuesPage(IssueTracker(TrackIssues(host: TwoOfEach()))), at: "/issues?q=apple/swift",
      columns: 120)
    window.press(.enter)
    #expect(window.lines().contains { $0.hasPrefix("› ") && $0.hasSuffix(" │") })
    #expect(window.lines().contains { $0.hasSuffix("│ Soon.") })
    window.size = TerminalSize(columns: 80, rows: 24)
    #expect(!window.lines().contains { $0.contains("│") })
    #expect(window.lines().contains("Soon."))
  }

  @Test func `caret is in the field, also in a long text`() throws {
    var window = TerminalWindow(DogsPage(DogSearch { _ in [] }), at: "/dogs", columns: 20)
    #expect(window.draw().caret?.row == 1)
    #expect(window.draw().caret?.column == 7)
    window.press(.text("名犬"))
    #expect(window.draw().caret?.column == 11)
    window.press(.text("and many more words"))
    #expect(try #require(window.draw().caret).column < 20)
    #expect(window.lines()[1] == "Breed: y more words")
  }

  @Test func `there is no colour without colours`() {
    var window = TerminalWindow(DogsPage(DogSearch { [Dog(name: $0)] }), at: "/dogs?q=x")
    #expect(!window.draw().lines.contains { $0.contains("\u{1B}") })
    window.colors = .indexed
    #expect(window.draw().lines.contains { $0.contains("\u{1B}[7m") })
  }

  @Test func `only lines that changed are drawn`() {
    var window = TerminalWindow(
      DogsPage(DogSearch { text in (1...9).map { Dog(name: "\(text) \($0)") } }), at: "/dogs?q=x")
    var canvas = TerminalCanvas()
    #expect(canvas.draw(window.draw()).contains("\u{1B}[2J"))
    #expect(canvas.draw(window.draw()) == "")
    window.press(.down)
    let text = canvas.draw(window.draw())
    #expect(text.matches(of: /\u{1B}\[\d+;1H/).count == 3, "two rows and the position")
    window.size = TerminalSize(columns: 40, rows: 12)
    #expect(canvas.draw(window.draw()).contains("\u{1B}[2J"))
  }

  @Test func `long words are broken, others wrap`() {
    #expect("one two three".wrapped(to: 8) == ["one two", "three"])
    #expect("名犬名犬 a".wrapped(to: 5) == ["名犬", "名犬", "a"])
    #expect("".wrapped(to: 5) == [""])
  }
}
