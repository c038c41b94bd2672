import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Orders of texts, waiting times and responses, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct SearchOrderTests {
  typealias Screen = Search<String>
  private static let events: [Screen.Event] =
    ["", "a", "abc", "b", " a "].map { .term($0) } + [.submit, .retry]
  /// The server's responses: some terms have no results.
  private let found = PendingResponses { (term: String) in Self.items(for: term) }

  private static func items(for term: String) -> [String] {
    term.count == 3 ? [] : ["1 of \(term)", "2 of \(term)"]
  }

  @Test func `every order of a search keeps the promises`() async {
    await exploreInTime(
      Search { [found] in try await found.next(for: $0) }, events: Self.events,
      checking: [
        .always { [found] in #expect(Self.violation($0.state, found) == nil) },
        .finally { #expect($0.state.query.isEmpty || $0.state.term == $0.state.query) },
      ])
  }

  private static func violation(
    _ state: Screen.State, _ found: PendingResponses<String, [String]>
  ) -> String? {
    if state.query.isEmpty, state.results != .idle { return "not idle without a text" }
    switch state.results {
    case .idle: return state.term == nil ? nil : "idle with a term"
    // A suspended search has not requested anything yet.
    case .loading:
      return found.active.last.map { $0 == state.term } ?? true ? nil : "loading another request"
    case .content(let items, _):
      return items == state.term.map(items(for:)) ? nil : "another term's results"
    case .empty: return state.term.map(items(for:)) == [] ? nil : "empty, but it has results"
    case .failed: return state.term == nil ? "failed without a term" : nil
    }
  }

  @Test func `no kept search shows the results of another`() async {
    let content = Self.events.map { Tabs<Screen>.Event.content($0) }
    await exploreInTime(
      Tabs(content: Search { [found] in try await found.next(for: $0) }),
      events: content + [.select(0), .select(1), .open(1, .retry), .cancel(.search)],
      checking: [
        .always { [found] probe in
          let state = probe.state.shown
          #expect(probe.isSuspended || found.active == (state.isLoading ? [state.term] : []))
          #expect(state.items.isEmpty || state.items == state.shownTerm.map(Self.items(for:)))
        }
      ])
  }
}
