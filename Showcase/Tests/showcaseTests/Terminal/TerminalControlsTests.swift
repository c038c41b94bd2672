import Application
import CurlewScreens
import Domain
import Testing

@testable import showcase

/// The effects of keys on a page.
@Suite(.timeLimit(.minutes(1)))
struct TerminalControlsTests {
  private func dogs(_ address: String = "/dogs") -> TerminalWindow<DogsPage> {
    TerminalWindow(
      DogsPage(DogSearch { text in (1...40).map { Dog(name: "\(text) \($0)") } }), at: address)
  }

  private func issues(_ address: String) -> TerminalWindow<IssuesPage> {
    TerminalWindow(IssuesPage(IssueTracker(TrackIssues(host: TwoOfEach()))), at: address)
  }

  @Test func `an empty field has the focus, and takes text`() {
    var window = dogs()
    #expect(window.controls.focus == .field(0))
    window.press(.text("a"), .text("b"), .left, .text("é"), .home, .text("q"))
    #expect(window.state.text == "qaéb")
    window.press(.delete, .end, .backspace)
    #expect(window.state.text == "qé")
    #expect(window.commands == [], "letters are text here")
    window.press(.text("👍"), .text("\u{1F3FD}"))
    #expect(window.controls.caret == 3, "a colour joins its thumb")
    window.press(.backspace, .text(" two words"), .control("w"))
    #expect(window.state.text == "qé two ")
    window.press(.control("u"), .paste("x\ny"), .paste("\r\nz\r"))
    #expect(window.state.text == "x y z ")
  }

  @Test func `Alt with a key moves by words, and never leaves`() {
    var window = dogs()
    window.press(.text("one two  three"), .alt(.text("q")), .alt(.tab), .alt(.enter), .alt(.left))
    #expect(window.controls.caret == 9)
    window.press(.alt(.text("b")), .alt(.backspace), .alt(.text("d")))
    #expect(window.state.text == "  three")
    window.press(.alt(.text("f")), .text("!"))
    #expect(window.state.text == "  three!")
    #expect(window.controls.focus == .field(0) && window.commands == [])
    window = dogs("/dogs?q=x")
    window.press(.alt(.text("q")), .alt(.down), .alt(.control("c")))
    #expect(window.commands == [.quit])
  }

  @Test func `a filter is opened, chosen, and applied or dismissed`() {
    var window = TerminalWindow(
      RepositoriesPage(Repositories(host: TwoOfEach())), at: "/repositories?language=swift")
    window.press(.text("f"), .backtab, .right)
    #expect(window.controls.focus == .choice(0) && window.state.filter?.minimum == 100)
    window.press(.escape)
    #expect(window.state.filter == nil && window.state.minimum == 0 && window.commands == [])
    window.press(.text("f"), .backtab, .left, .text("f"))
    #expect(window.state.filter == nil && window.state.minimum == 10_000)
  }

  @Test func `rows are selected and scrolled`() throws {
    var window = dogs("/dogs?q=x")
    #expect(window.controls.focus == .list)
    window.press(.down, .down)
    #expect(window.lines().contains("› x 3"))
    window.press(.end)
    #expect(window.lines().contains("› x 40"))
    window.press(.pageUp)
    let row = try #require(window.controls.selection(in: window.view))
    #expect(row < 30)
    #expect(window.lines().contains("› x \(row + 1)"))
    window.press(.home, .up)
    #expect(window.controls.focus == .field(0), "above the first row is the field")
    window.press(.down)
    #expect(window.controls.focus == .list)
    window.press(.text("jj/"))
    #expect(window.controls.focus == .field(0))
  }

  @Test func `selected row stays when others come`() {
    var window = TerminalWindow(
      WatchPage(Watch(host: TwoOfEach())), at: "/watch?q=apple/swift")
    window.press(.down)
    let rows = { (view: TerminalView) in window.controls.selection(in: view) }
    #expect(rows(window.view) == 1)
    window.press(.enter)
    #expect(window.commands == [.open("/issues?q=apple/swift&issue=7")])
  }

  @Test func `escape closes, leaves, clears, and goes back`() {
    var window = issues("/issues?q=apple/swift")
    window.press(.enter)
    #expect(window.state.picked?.number == 935)
    #expect(window.controls.focus == .detail)
    window.press(.escape)
    #expect(window.state.picked == nil)
    window.press(.text("/"), .escape)
    #expect(window.controls.focus == .list)
    window.press(.escape)
    #expect(window.state.search.text == "")
    #expect(window.controls.focus == .field(0))
    window.press(.escape, .escape)
    #expect(window.commands == [.leave])
  }

  @Test func `choices change with the arrows`() {
    var window = TerminalWindow(
      MoviesPage(Movies(catalogue: TwoOfEach())), at: "/movies/now-playing")
    window.press(.tab, .right)
    #expect(window.state.filter.list == .topRated)
    window.press(.tab, .left)
    #expect(window.state.filter.language == "ja-JP")
    #expect(window.lines()[1] == "List: Top rated  Language: ‹ 日本語 ›")
    window.press(.down, .enter)
    #expect(window.commands == [.open("/movie/1?language=ja-JP")])
  }

  @Test func `row without a page is read in the window`() {
    var window = TerminalWindow(TopMoviesPage(TopMovies(store: TwoOfEach())), at: "/itunes")
    window.press(.down, .enter)
    #expect(window.lines().contains("In space."))
    window.press(.escape)
    #expect(window.lines().contains { $0.hasPrefix("› 4  Alien") })
  }

  @Test func `form is filled and sent`() throws {
    func fill(_ page: some ShowcasePage) {
      var window = TerminalWindow(page, at: "/issues/new")
      window.press(.text("apple"), .enter)
      #expect(window.lines()[2].hasPrefix("  Type a repository"))
      window.press(.text("/swift"), .tab, .text("A title"), .down, .paste("a\nb"))
      #expect(
        window.lines()[1...3] == ["Repository: apple/swift", "Title: A title", "Description: a b"])
      window.press(.enter)
      #expect(window.lines().contains { $0.contains("The issue could not be opened: ") })
    }
    let entry = try #require(ScreenEntry(argument: "open"))
    fill(entry.page(DataSources(all: TwoOfEach())))
  }

  @Test func `letters have their meaning outside of fields`() {
    var window = dogs("/dogs?q=x")
    window.press(.text("rq"), .control("c"), .control("z"), .control("l"))
    #expect(window.commands == [.quit, .suspend, .redraw], "after a command, the rest waits")
  }

  @Test func `A question mark shows all keys until the next key`() {
    var window = TerminalWindow(
      RepositoriesPage(Repositories(host: TwoOfEach())), at: "/repositories?language=swift")
    let list = window.lines()
    #expect(list.last?.contains("?") == true)
    window.press(.text("?"))
    let lines = window.lines()
    #expect(lines.count == 24 && lines.last == "any key back  ^C quit")
    for key in ["f ", "/ ", "r ", "q  ^C ", "Tab  Shift-Tab ", "PgUp PgDn Space "] {
      #expect(lines.contains { $0.hasPrefix(key) }, "\(key)")
    }
    window.press(.text("q"))
    #expect(window.commands == [] && window.lines() == list)
    window.press(.text("?"), .control("c"))
    #expect(window.commands == [.quit])
    var field = dogs()
    field.press(.text("?"))
    #expect(field.state.text == "?")
  }
}
