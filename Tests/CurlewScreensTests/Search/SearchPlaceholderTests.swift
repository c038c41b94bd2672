import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The placeholder of a search without items, and its initial text.
@Suite(.timeLimit(.minutes(1)))
struct SearchPlaceholderTests {
  private struct Item: Identifiable, Equatable, Sendable { let id: Int }

  private let hint: @Sendable (String) -> String? = { $0 == "?" ? "Type a letter." : nil }

  private static let scenarios = Scenario.all(
    """
    a search says what to show instead of items
      placeholder initial; type ap?; placeholder hint Type-more; type a; submit
      placeholder loading; page; placeholder empty a; search b; fail
      placeholder failed; search c; page 1; placeholder nothing; search d; fail; shows 1
      placeholder nothing
    """)

  @Test(arguments: scenarios) func `a search has a placeholder`(scenario: Scenario) throws {
    try scenario.run(SearchSteps(Search<Entry>.self).perform)
    try scenario.run(SearchSteps(PagedSearch<Entry>.self).perform)
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
