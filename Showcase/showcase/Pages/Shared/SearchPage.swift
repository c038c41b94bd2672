import CurlewLive
import CurlewScreens

/// Any generic search screen in a browser: a field, and a row of text for each result.
struct SearchPage<Item: Equatable & Sendable>: ShowcasePage {
  /// What the page says.
  struct Texts: Sendable {
    let title: String
    let lead: String
    let label: String
    let examples: [String]
  }

  let path: String
  let texts: Texts
  let screen: Tracked<Search<Item>>
  let row: @Sendable (Item) -> String

  func innerEvents(for query: LiveQuery, in state: Search<Item>.State) -> [Search<Item>.Event] {
    state.events(for: query["q"])
  }

  func innerEvent(for action: LiveAction) -> Search<Item>.Event? { Search<Item>.Event(action) }

  func address(of state: Tracked<Search<Item>>.State) -> LiveAddress {
    let search = state.content.displayed
    return LiveAddress(
      ["q": search.query.isEmpty ? nil : search.query], isHistoryEntry: search.isSettled)
  }

  func title(of state: Tracked<Search<Item>>.State) -> String {
    state.content.displayed.query.isEmpty
      ? texts.title : "\(state.content.displayed.query) · \(texts.title)"
  }
}
