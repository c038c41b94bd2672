import CurlewLive
import CurlewScreens

/// Any generic search screen in a browser: a field, and a row of text for each result.
struct SearchPage<Item: Equatable & Sendable>: LivePage {
  /// What the page says.
  struct Words: Sendable {
    let title: String
    let lead: String
    let label: String
    let examples: [String]
  }

  let path: String
  let words: Words
  let screen: ActivityTracking<Search<Item>>
  let templates: Templates
  let row: @Sendable (Item) -> String

  func events(
    for query: LiveQuery, in state: ActivityTracking<Search<Item>>.State
  ) -> [ActivityTracking<Search<Item>>.Event] {
    let text = (query["q"] ?? "").asTyped
    let isShown = state.content.term == text && state.content.results.failure == nil
    let events: [Search<Item>.Event] = [.term(text)] + (isShown ? [] : [.submit])
    return events.map { .content($0) }
  }

  func event(for action: LiveAction) -> ActivityTracking<Search<Item>>.Event? {
    switch action.name {
    case "term": .content(.term(action.value.asTyped))
    case "submit": .content(.submit)
    case "retry": .content(.retry)
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<Search<Item>>.State) -> LiveAddress {
    let search = state.content
    return LiveAddress(
      ["q": search.query.isEmpty ? nil : search.query],
      isPlace: search.query.isEmpty || search.query == search.term)
  }

  func title(of state: ActivityTracking<Search<Item>>.State) -> String {
    state.content.query.isEmpty ? words.title : "\(state.content.query) · \(words.title)"
  }

  func render(_ state: ActivityTracking<Search<Item>>.State) -> HTML {
    templates.draw(.search, SearchView(state, self))
  }
}
