import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Orders of typing, scrolling, time and responses in kept and shown tabs, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct PagedSearchOrderTests {
  struct Query: Hashable, Sendable, ExpressibleByStringLiteral {
    let term: String
    var key: PageKey?

    init(_ term: String, _ key: PageKey? = nil) { (self.term, self.key) = (term, key) }
    init(stringLiteral term: String) { self.init(term) }
  }

  typealias Screen = Tabs<PagedSearch<Entry>>

  private let pages = PendingResponses { (query: Query) in
    query.term == "none" ? Page([]) : Library.page(query.key?.number ?? 1, of: query.term)
  }

  @Test func `every order keeps the promises`() async {
    let texts = ["a", "ab", " a ", "b", "none", "", "?"]
    let lists: [Feed<Entry>.Event] =
      [.retry, .more, .refresh, .load, .restore(at: .number(5)), .sourceChanged]
      + [2, 8, 14].map { .appeared($0) }
    let events: [PagedSearch<Entry>.Event] =
      texts.map { .term($0) } + [.submit(), .submit(from: .number(3))] + lists.map { .list($0) }
    await exploreInTime(
      Screen(
        content: PagedSearch<Entry>(hint: { $0 == "?" ? "Type more" : nil }) { [pages] in
          try await pages.next(for: Query($0, $1))
        }),
      events: events.map { .content($0) } + [
        .all([.term("a"), .submit()]), .all([.term("b"), .list(.more)]), .select(0), .select(1),
        .cancel(.feed.in(\PagedSearch<Entry>.State.list)), .open(1, .term("a")),
        .open(0, .list(.retry)),
      ],
      checking: [
        .always { [pages] in #expect(Self.violation($0, pages) == nil) },
        .finally { [pages] in #expect(Self.violationAtEnd($0, pages) == nil) },
      ])
  }

  private static func violation(
    _ probe: ScreenProbe<Screen>, _ pages: PendingResponses<Query, Page<Entry>>
  ) -> String? {
    let (state, list) = (probe.state.shown, probe.state.shown.list)
    if !probe.isSuspended, pages.active.count != (list.isLoading ? 1 : 0) {
      return "loading: \(list.isLoading), transfers: \(pages.active)"
    }
    if let query = pages.active.first, query.term != state.term { return "\(query) is loaded" }
    if state.query.isEmpty || state.hint != nil {
      return state.list == .init() && state.term == nil ? nil : "results without a text"
    }
    if list.status == .idle { return state.term == nil ? nil : "idle with a term" }
    if list.items.contains(where: { $0.text != state.shownTerm }) { return "another text is shown" }
    guard let term = state.term else {
      // The search of the text was cancelled: the older results are shown.
      return list.isLoading || list.failure != nil ? "loads without a term" : nil
    }
    if list.status == .empty { return term == "none" ? nil : "empty, but it has results" }
    // The older term's items stay until the first page of the new term arrives.
    return Library.problem(with: list, of: term, isLater: list.status.kind == .first)
  }

  /// Stops typing, replies to all requests, and reads the list to its end.
  private static func violationAtEnd(
    _ probe: ScreenProbe<Screen>, _ pages: PendingResponses<Query, Page<Entry>>
  ) -> String? {
    probe.advance(by: .seconds(1))
    let isSearchable = !probe.state.shown.query.isEmpty && probe.state.shown.hint == nil
    // A search that was cancelled, or whose state was put back before it began, is submitted.
    if isSearchable, isNew(probe.state.shown) { probe.send(.content(.submit())) }
    if isSearchable, isNew(probe.state.shown) { return "was never searched" }
    for _ in 0..<60 {
      while let query = pages.waiting.first {
        pages.reply(for: query)
        probe.settle()
        if let violation = violation(probe, pages) { return violation }
      }
      switch probe.state.shown.list.status {
      case .idle, .empty, .ended:
        if probe.runner.isWorking { return "work is left over" }
        return isSearchable && isNew(probe.state.shown) ? "ends with another text" : nil
      case .loading: return "loading sticks"
      case .content: probe.send(.content(.list(.more)))
      case .failed: probe.send(.content(.list(.retry)))
      }
    }
    return "never ends"
  }

  private static func isNew(_ state: PagedSearch<Entry>.State) -> Bool { state.term != state.query }
}
