package import CurlewLive
package import CurlewScreens

/// Any generic search screen in a browser: a field, and a row of text for each result.
package struct SearchPage<Item: Equatable & Sendable>: ShowcasePage {
  package let path: String
  let title: String
  let lead: String
  let label: String
  let examples: [String]
  package let screen: Tracked<Search<Item>>
  let row: @Sendable (Item) -> String

  package func innerEvents(for query: LiveQuery, in state: Inner.State) -> [Inner.Event] {
    state.events(for: query["q"])
  }

  package func innerEvent(for action: LiveAction) -> Inner.Event? { Inner.Event(action) }

  package func address(of state: Tracked<Search<Item>>.State) -> LiveAddress {
    let search = state.content.displayed
    return LiveAddress(
      ["q": search.query.isEmpty ? nil : search.query], isHistoryEntry: search.isSettled)
  }

  package func title(of state: Tracked<Search<Item>>.State) -> String {
    state.content.displayed.query.isEmpty
      ? title : "\(state.content.displayed.query) · \(title)"
  }

  package func view(of state: Tracked<Search<Item>>.State) -> PageView {
    let search = state.content.displayed
    let hasRows = !search.items.isEmpty
    let searched: LiveQuery = ["q": search.term]
    let status =
      switch search.results.phase {
      case .idle: search.hint ?? (search.query.isEmpty ? "" : "Waiting for you to finish…")
      case .loading: "Looking for \(search.term ?? "")…"
      case .empty: "Nothing found for \(search.term ?? "")."
      case .failed: "The search did not work."
      case .content(let items): items.count == 1 ? "1 result" : "\(items.count) results"
      }
    let results: Values = [
      "text": search.text, "term": search.term ?? "", "isIdle": search.results == .idle,
      "isLoading": search.isLoading, "isEmpty": search.results == .empty, "hasRows": hasRows,
      // Nothing is there yet, and that takes its time.
      "isSkeleton": state.activity.isVisible && search.isLoading && !hasRows,
      // The rows are those of something else, or not the newest.
      "isOld": hasRows && (search.isLoading || search.results.failure != nil),
    ]
    let samples: [Values] = examples.map { text in
      let query: LiveQuery = ["q": text]
      return ["text": text, "query": query.text]
    }
    return PageView(
      .search, status: status,
      [
        "path": path, "title": title, "lead": lead, "label": label,
        "search": results, "rows": search.items.map(row), "examples": samples,
        "activity": Values.activity(
          state.activity, failure: search.results.failure, isEmpty: !hasRows,
          retry: path + searched.text),
      ])
  }
}
