import CurlewLive
import CurlewScreens

/// The words and switches of the generic search's template.
struct SearchView {
  struct Example {
    let text: String
    let query: String
  }

  let path: String
  let title: String
  let lead: String
  let label: String
  let text: String
  let term: String
  let status: String
  let isIdle: Bool
  let isLoading: Bool
  let isEmpty: Bool
  let isSkeleton: Bool
  let isOld: Bool
  let hasRows: Bool
  let activity: ActivityView
  let rows: [String]
  let examples: [Example]

  init<Item>(_ tracked: ActivityTracking<Search<Item>>.State, _ page: SearchPage<Item>) {
    let search = tracked.content
    path = page.path
    (title, lead, label) = (page.words.title, page.words.lead, page.words.label)
    text = search.text
    term = search.term ?? ""
    isIdle = search.results == .idle
    isLoading = search.isLoading
    isEmpty = search.results == .empty
    hasRows = !search.items.isEmpty
    isSkeleton = tracked.activity.isVisible && search.isLoading && !hasRows
    isOld = search.isLoading || search.results.failure != nil
    activity = ActivityView(
      tracked.activity, failure: search.results.failure, isEmpty: !hasRows,
      retry: page.path + page.address(of: tracked).query.text)
    rows = search.items.map(page.row)
    examples = page.words.examples.map { text in
      let query: LiveQuery = ["q": text]
      return Example(text: text, query: query.text)
    }
    status =
      switch search.results {
      case .idle: search.query.isEmpty ? "" : "Waiting for you to finish…"
      case .loading: "Looking for \(term)…"
      case .empty: "Nothing found for \(term)."
      case .failed: "The search did not work."
      case .content(let items): items.count == 1 ? "1 result" : "\(items.count) results"
      }
  }
}
