import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Random orders of typing, scrolling, time and responses, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct PagedSearchInterleavingTests {
  typealias Query = PagedSearchTests.Query

  @Test func `every interleaving keeps the promises`() {
    tellStories("PagedSearch", count: 5_000) { generator in
      let pages = Transfers<Query, Page<Entry>>()
      let probe = ScreenProbe(
        Tabs(
          content: PagedSearch<Entry>(hint: { $0 == "?" ? "Type more" : nil }) {
            try await pages.next(for: Query($0, $1))
          }))
      for _ in 0..<generator.pick(5...60) {
        Self.turn(probe, pages, &generator)
        if let problem = Self.problem(probe, pages) { return problem }
      }
      return Self.end(probe, pages, &generator)
    }
  }

  static func turn(
    _ probe: ScreenProbe<Tabs<PagedSearch<Entry>>>, _ pages: Transfers<Query, Page<Entry>>,
    _ generator: inout SeededGenerator
  ) {
    switch generator.pick(0...18) {
    case 0...8: probe.send(.content(event(&generator)))
    case 9 where generator.chance(oneIn: 3):
      probe.runner.suspend()
      probe.runner.resume()
      probe.settle()
    case 10...11: probe.advance(by: .milliseconds(generator.pick(1...600)))
    case 12: probe.send(.all([event(&generator), event(&generator)]))
    case 13 where generator.chance(oneIn: 2):
      probe.send(.cancel(.feed.in(\PagedSearch<Entry>.State.list)))
    case 14 where generator.chance(oneIn: 2): probe.send(.select(generator.pick(0...1)))
    case 15 where generator.chance(oneIn: 2):
      probe.send(.open(generator.pick(0...1), event(&generator)))
    default: if !pages.waiting.isEmpty { respond(probe, pages, &generator) }
    }
  }

  static func event(_ generator: inout SeededGenerator) -> PagedSearch<Entry>.Event {
    switch generator.pick(0...9) {
    case 0...3: .term(generator.pick(["a", "ab", " a ", "b", "abc", "none", "", "?"]))
    case 4: .submit(from: generator.pick([nil, nil, .number(3)]))
    case 5: .list(.retry)
    case 6: .list(.more)
    case 7: .list(.appeared(generator.pick(0...15)))
    case 8: .list(.refresh)
    default:
      .list(generator.pick([.load, .restore(at: nil), .restore(at: .number(5)), .sourceChanged]))
    }
  }

  static func respond(
    _ probe: ScreenProbe<Tabs<PagedSearch<Entry>>>, _ pages: Transfers<Query, Page<Entry>>,
    _ generator: inout SeededGenerator, mayFail: Bool = true
  ) {
    let place = generator.pick(0...pages.waiting.count - 1)
    let query = pages.waiting[place]
    let page =
      query.term == "none" ? Page([]) : Library.page(query.key?.number ?? 1, of: query.term)
    let fails = mayFail && generator.chance(oneIn: 4)
    pages.reply(fails ? .failure(Broken()) : .success(page), to: place)
    probe.settle()
  }

  static func problem(
    _ probe: ScreenProbe<Tabs<PagedSearch<Entry>>>, _ pages: Transfers<Query, Page<Entry>>
  ) -> String? {
    let (state, list) = (probe.state.shown, probe.state.shown.list)
    if pages.most > 1 { return "two transfers at a time" }
    if list.isLoading != (pages.live.count == 1) {
      return "loading: \(list.isLoading), transfers: \(pages.live)"
    }
    if let query = pages.live.first, query.term != state.term {
      return "\(query) is loaded for \(state)"
    }
    if state.query.isEmpty || state.hint != nil {
      return state.list == .init() && state.term == nil ? nil : "results without a text: \(state)"
    }
    if list.status == .idle { return state.term == nil ? nil : "idle with a term: \(state)" }
    if list.items.contains(where: { $0.text != state.shownTerm }) {
      return "another text than \(state.shownTerm ?? "") is shown: \(state)"
    }
    guard let term = state.term else {
      // The search of the text was cancelled: the older results are shown.
      return list.isLoading || list.failure != nil ? "loads without a term: \(state)" : nil
    }
    if list.status == .empty { return term == "none" ? nil : "empty, but it has results: \(state)" }
    // The older term's items stay until the first page of the new term arrives.
    let isLater = list.status.kind == .first
    return Library.problem(with: list, of: term, isLater: isLater)
  }

  /// Stops typing, replies to all requests, and reads the list to its end.
  static func end(
    _ probe: ScreenProbe<Tabs<PagedSearch<Entry>>>, _ pages: Transfers<Query, Page<Entry>>,
    _ generator: inout SeededGenerator
  ) -> String? {
    probe.advance(by: .seconds(1))
    let isSearchable = !probe.state.shown.query.isEmpty && probe.state.shown.hint == nil
    // A search that was cancelled, or whose state was put back before it began, is submitted.
    if isSearchable, isNew(probe.state.shown) { probe.send(.content(.submit())) }
    if isSearchable, isNew(probe.state.shown) {
      return "\(probe.state.shown.query) was never searched: \(probe.state)"
    }
    for _ in 0..<60 {
      while !pages.waiting.isEmpty {
        respond(probe, pages, &generator, mayFail: false)
        if let problem = problem(probe, pages) { return problem }
      }
      switch probe.state.shown.list.status {
      case .idle, .empty, .ended:
        if probe.runner.isWorking { return "work is left over" }
        if isSearchable, probe.state.shown.term != probe.state.shown.query {
          return "ends with another text: \(probe.state)"
        }
        return repeated(in: probe.states).map { "delivered twice: \($0)" }
      case .loading: return "loading sticks: \(probe.state)"
      case .content: probe.send(.content(.list(.more)))
      case .failed: probe.send(.content(.list(.retry)))
      }
    }
    return "never ends: \(probe.state)"
  }

  static func isNew(_ state: PagedSearch<Entry>.State) -> Bool { state.term != state.query }
}
