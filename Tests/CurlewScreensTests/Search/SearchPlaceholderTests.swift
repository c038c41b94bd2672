import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The placeholder of a search without items, and its initial text.
@Suite(.timeLimit(.minutes(1)))
struct SearchPlaceholderTests {
  private struct Item: Identifiable, Equatable, Sendable { let id: Int }
  private struct Refused: Error {}

  private let hint: @Sendable (String) -> String? = { $0 == "?" ? "Type a letter." : nil }

  @Test func `search says what to show instead of items`() {
    let search = Search<Item>(hint: hint) { text in
      if text == "!" { throw Refused() }
      return text == "0" ? [] : [Item(id: 1)]
    }
    let probe = ScreenProbe(search)
    #expect(probe.state.placeholder == .initial)
    probe.send(.term("?"))
    #expect(probe.state.placeholder == .hint("Type a letter."))
    probe.send(.term("0"))
    probe.send(.submit)
    #expect(probe.state.placeholder == .empty(term: "0"))
    probe.send(.term("!"))
    probe.send(.submit)
    #expect(probe.state.results.failure.map { .failed($0) } == probe.state.placeholder)
    probe.send(.term("a"))
    probe.send(.submit)
    #expect(probe.state.placeholder == nil)
    // The previous results are still shown.
    probe.send(.term("!"))
    probe.send(.submit)
    #expect(probe.state.placeholder == nil)
    #expect(Search<Item>.State(text: "a", results: .loading(last: nil)).placeholder == .loading)
  }

  @Test func `paged search says what to show instead of items`() {
    let search = PagedSearch<Item>(hint: hint) { text, _ in
      if text == "!" { throw Refused() }
      return Page(text == "0" ? [] : [Item(id: 1)])
    }
    let probe = ScreenProbe(search)
    #expect(probe.state.placeholder == .initial)
    probe.send(.term("?"))
    #expect(probe.state.placeholder == .hint("Type a letter."))
    probe.send(.term("0"))
    probe.send(.submit())
    #expect(probe.state.placeholder == .empty(term: "0"))
    probe.send(.term("!"))
    probe.send(.submit())
    #expect(probe.state.list.failure.map { .failed($0) } == probe.state.placeholder)
    probe.send(.term("a"))
    probe.send(.submit())
    #expect(probe.state.placeholder == nil)
  }

  @Test func `a text of the beginning is searched at once`() {
    let search = ScreenProbe(Search<Item>(text: "7") { [Item(id: Int($0) ?? 0)] })
    search.resume()
    #expect(search.state.items == [Item(id: 7)])
    #expect(search.state.text == "7")
    let paged = ScreenProbe(
      PagedSearch<Item>(text: "7") { text, _ in Page([Item(id: Int(text) ?? 0)]) })
    paged.resume()
    #expect(paged.state.list.items == [Item(id: 7)])
    // A text with a hint is not searched.
    let hinted = ScreenProbe(Search<Item>(text: "?", hint: hint) { _ in [Item(id: 0)] })
    hinted.resume()
    #expect(hinted.state.items.isEmpty)
  }
}
