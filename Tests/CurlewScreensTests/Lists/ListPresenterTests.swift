import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A table that shows what a presenter says.
private final class Table<S: Screen> {
  typealias Row = ListPresenter<S, Entry>.Row
  enum Cell: Equatable { case item(Entry), footer(ListFooter?) }

  var presenter: ListPresenter<S, Entry>
  private(set) var rows: [Row] = []
  private(set) var cells: [Row: Cell] = [:]
  private(set) var isAnimated: Bool?

  init(_ presenter: ListPresenter<S, Entry>) { self.presenter = presenter }

  /// Shows a state; inserted and changed rows are configured, the others keep their content.
  func show(_ state: S.State) -> [Row] {
    isAnimated = nil
    guard let update = presenter.update(to: state) else { return rows }
    #expect(Set(update.changed).isSubset(of: rows))
    let former = cells
    cells = [:]
    for row in update.rows {
      let isKept = former[row] != nil && !update.changed.contains(row)
      cells[row] =
        isKept ? former[row] : presenter[row].map { .item($0) } ?? .footer(presenter.footer)
    }
    (rows, isAnimated) = (update.rows, update.isAnimated)
    return rows
  }
}

/// What a table or a collection view shows of a list.
///
/// `CURLEW_STORIES=20000` tells many stories, for minutes.
@Suite(.timeLimit(.minutes(10)))
struct ListPresenterTests {
  typealias State = Feed<Entry>.State

  static let failure = LoadFailure(message: "offline")

  private func randomState(_ generator: inout SeededGenerator) -> State {
    var ids = Array(1...8)
    for index in ids.indices { ids.swapAt(index, generator.pick(0...7)) }
    let items = ids.prefix(generator.pick(0...8)).map { Entry($0, generator.pick(["a", "b"])) }
    let status: FeedStatus? = generator.pick([
      nil, .content, .ended, .loading(.next), .loading(.refresh), .failed(Self.failure, .next),
    ])
    return State(items: items, next: generator.pick([nil, .number(2)]), status: status)
  }

  @Test func `each cell shows the newest state`() {
    tellStories("tables", count: 2_000) { generator in
      let table = Table(ListPresenter<Feed<Entry>, Entry>(\.self) { $0 })
      var former: [Entry] = []
      for _ in 0..<generator.pick(2...12) {
        let state = randomState(&generator)
        let rows = table.show(state)
        var cells = state.items.map { Table<Feed<Entry>>.Cell.item($0) }
        if let footer = state.footer { cells.append(.footer(footer)) }
        guard rows.map({ table.cells[$0] }) == cells else { return "\(table.cells) of \(state)" }
        guard table.presenter.placeholder == state.placeholder else { return "placeholder" }
        let hasKept = !Set(former.map(\.id)).isDisjoint(with: state.items.map(\.id))
        guard table.isAnimated.map({ $0 == hasKept }) ?? true else { return "animation" }
        former = state.items
      }
      return nil
    }
  }

  @Test(arguments: [1, 4]) func `every presented feed can be continued until its end`(height: Int)
    async
  {
    let pages = PendingResponses { (key: PageKey?) in Library.page(key?.number ?? 1) }
    await exploreViews(pages) {
      let probe = ScreenProbe(Feed { try await pages.next(for: $0) }, activity: nil)
      let table = Table(ListPresenter<Feed<Entry>, Entry>(\.self) { $0 })
      let viewport = Viewport(probe, height: height, rows: table.show) {
        table.presenter.event(.display($0)) ?? .appeared(-1)
      }
      return ViewedList(probe, viewport, of: { $0 }, event: { $0 })
    }
  }

  @Test(arguments: [1, 4])
  func `every presented search can be continued until its end`(height: Int) async {
    let pages = PendingResponses { (key: PageKey?) in Library.page(key?.number ?? 1) }
    await exploreViews(pages, others: ["", "a", "ab"].map { .term($0) }) {
      let search = PagedSearch<Entry>(listsAll: true) { _, key in try await pages.next(for: key) }
      let probe = ScreenProbe(search, activity: nil)
      let table = Table(ListPresenter<PagedSearch<Entry>, Entry>(\.self) { $0 })
      let viewport = Viewport(
        probe, height: height,
        rows: { state in
          defer { #expect(table.presenter.text == state.text) }
          return table.show(state)
        },
        appeared: { table.presenter.event(.display($0)) ?? .list(.appeared(-1)) })
      return ViewedList(probe, viewport, of: \.list, event: { .list($0) })
    }
  }

  @Test func `a failed page is requested by the user's selection alone`() throws {
    var presenter = ListPresenter<Feed<Entry>, Entry>(\.self) { $0 }
    let failed = State(items: [1], next: .number(2), status: .failed(Self.failure, .next))
    let footer = try #require(presenter.update(to: failed)?.rows.last)
    #expect(presenter.event(.display(footer)) == nil)
    #expect(presenter.event(.select(footer)) == .retry)
    _ = presenter.update(to: State(items: [1], next: .number(2)))
    #expect(presenter.event(.display(footer)) == .more)
    #expect(presenter.event(.select(footer)) == nil)
  }

  @Test func `a footer shows its failure or an indicator`() {
    let footers: [ListFooter] = [.failed(Self.failure), .loading, .more(2)]
    #expect(footers.map(\.placeholder) == [.failed(Self.failure), .loading, .loading])
  }

  @Test func `a screen that is a list needs no path to it`() {
    var feed = ListPresenter<Feed<Entry>, Entry>()
    #expect(feed.update(to: State(items: [1, 2]))?.rows == [.item(1), .item(2)])
    #expect(ListPresenter<PagedSearch<Entry>, Entry>().event(.refresh) == .list(.refresh))
    #expect(ListPresenter<Search<Entry>, Entry>().event(.submit) == .submit)
  }

  @Test func `the text that is searched already is not sent again`() {
    var presenter = ListPresenter<Search<Entry>, Entry>(\.self) { $0 }
    _ = presenter.update(to: Search<Entry>.State(text: "a"))
    #expect(presenter.event(.type("a")) == nil)
    #expect(presenter.event(.type("")) == .term(""))
  }

  @Test func `a search sends its own events`() {
    let presenter = ListPresenter<Search<Entry>, Entry>(\.self) { $0 }
    #expect(presenter.event(.type("a")) == .term("a"))
    #expect(presenter.event(.submit) == .submit)
    #expect(presenter.event(.retry) == .retry)
    #expect(presenter.event(.refresh) == nil)
    #expect(presenter.event(.appear) == nil)
  }

  @Test func `placeholders have a message`() {
    let texts = UserTexts.current
    let messages = [ListPlaceholder.hint("owner/name"), .empty(term: "x"), .failed(Self.failure)]
      .map { $0.message(in: ScreenActivity()) }
    #expect(messages == ["owner/name", texts.noResults(for: "x"), "offline"])
    #expect(ListPlaceholder.empty(term: "").message(in: ScreenActivity()) == texts.noItems)
    #expect(ListPlaceholder.loading.message(in: ScreenActivity()) == nil)
  }
}
