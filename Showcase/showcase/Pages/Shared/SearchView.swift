import CurlewLive
import CurlewScreens

extension Template {
  fileprivate static let search = Template(PackageResources.search_mustache)
}

extension SearchPage {
  func view(of state: Tracked<Search<Item>>.State) -> PageView {
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
    let examples: [Values] = texts.examples.map { text in
      let query: LiveQuery = ["q": text]
      return ["text": text, "query": query.text]
    }
    return PageView(
      .search, status: status,
      [
        "path": path, "title": texts.title, "lead": texts.lead, "label": texts.label,
        "search": results, "rows": search.items.map(row), "examples": examples,
        "activity": Values.activity(
          state.activity, failure: search.results.failure, isEmpty: !hasRows,
          retry: path + searched.text),
      ])
  }
}
