import CurlewScreens

/// What all searches without pages have around their rows.
struct SearchResultsView {
  let text: String
  let term: String
  let isIdle: Bool
  let isLoading: Bool
  let isEmpty: Bool
  /// Nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  let hasRows: Bool
  /// The rows are those of something else, or not the newest.
  let isOld: Bool
  let leftOut: LeftOut?

  /// - Parameters:
  ///   - search: The search.
  ///   - isBusy: Whether it has loaded for long enough to be worth a word.
  init<Item>(_ search: Search<Item>.State, isBusy: Bool) {
    text = search.text
    term = search.term ?? ""
    isIdle = search.results == .idle
    isLoading = search.isLoading
    isEmpty = search.results == .empty
    hasRows = !search.items.isEmpty
    isSkeleton = isBusy && search.isLoading && !hasRows
    isOld = hasRows && (search.isLoading || search.results.failure != nil)
    leftOut = LeftOut(search.omissions)
  }
}

extension Search.State {
  /// What a screen reader announces of a search.
  ///
  /// - Parameters:
  ///   - failed: What it says when the search failed.
  ///   - content: Says what was found.
  func status(failed: String, content: ([Item]) -> String) -> String {
    switch results.phase {
    case .idle: hint ?? (query.isEmpty ? "" : "Waiting for you to finish…")
    case .loading: "Looking for \(term ?? "")…"
    case .empty: "Nothing found for \(term ?? "")."
    case .failed: failed
    case .content(let items): content(items)
    }
  }
}
