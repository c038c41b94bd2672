package import CurlewLive
package import CurlewScreens

/// The page of a generic search screen: a field, and a row for each result.
package struct SearchPage<Item: Equatable & Sendable>: ShowcasePage {
  package let path: String
  let title: String
  let lead: String
  let label: String
  let examples: [String]
  package let screen: Search<Item>
  /// The text of a result, which identifies its row.
  let row: @Sendable (Item) -> String
  /// Returns the HTML of a result's row; only its text by default.
  var markup: (@Sendable (Item) -> HTML)?
  /// Returns the address of a result's page.
  var address: (@Sendable (Item) -> String)?

  package func events(for query: LiveQuery, in state: Content.State) -> [Content.Event] {
    state.events(for: query["q"])
  }

  package func event(for action: LiveAction) -> Content.Event? { Content.Event(action) }

  package func address(of state: Search<Item>.State) -> LiveAddress {
    state.address
  }

  package func title(of state: Search<Item>.State) -> String {
    state.query.isEmpty
      ? title : "\(state.query) · \(title)"
  }

  package func view(of state: Search<Item>.State, _ activity: ScreenActivity) -> SearchView {
    let search = state
    let searched: LiveQuery = ["q": search.term]
    let older = search.shownTerm.flatMap { $0 == search.term ? nil : " Still showing \($0)." } ?? ""
    let status =
      switch search.results {
      case .idle: search.hint ?? (search.query.isEmpty ? "" : "Waiting for you to stop typing…")
      case .loading: "Looking for \(search.term ?? "")…" + older
      case .empty: "Nothing found for \(search.term ?? "")."
      case .failed: "The search failed." + older
      case .content(let items, _): items.count == 1 ? "1 result" : "\(items.count) results"
      }
    let hasRows = !search.items.isEmpty
    return SearchView(
      status: status, path: path, title: title, lead: lead, label: label, text: search.text,
      term: search.term ?? "", isIdle: search.results == .idle, isLoading: search.isLoading,
      isEmpty: search.results == .empty, hasRows: hasRows,
      isSkeleton: !activity.loading.isEmpty && search.isLoading && !hasRows,
      isOld: hasRows && (search.isLoading || search.results.failure != nil),
      rows: LivePiece("rows", rows: search.items, key: { row($0).withoutDirectionControls }) {
        markup?($0) ?? SearchResultView(text: row($0)).html
      },
      examples: examples.map { ExampleView($0, ["q": $0]) },
      activity: ActivityView(
        activity, failure: search.results.failure, isEmpty: !hasRows,
        retry: path + searched.text, failed: "The search failed"))
  }
}

package struct SearchView: PageView {
  package let status: String
  let path, title, lead, label, text, term: String
  let isIdle, isLoading, isEmpty, hasRows: Bool
  /// Whether a placeholder is shown, because the first load takes long.
  let isSkeleton: Bool
  /// Whether the rows are outdated, or belong to another text.
  let isOld: Bool
  let rows: LivePiece
  let examples: [ExampleView]
  let activity: ActivityView

  package static let template = HTMLTemplate<Self>(PackageResources.search_mustache)
  package static let names: TemplateNames<Self> = [
    "status": \.status, "path": \.path, "title": \.title, "lead": \.lead, "label": \.label,
    "text": \.text, "term": \.term, "isIdle": \.isIdle, "isLoading": \.isLoading,
    "isEmpty": \.isEmpty, "hasRows": \.hasRows, "isSkeleton": \.isSkeleton, "isOld": \.isOld,
    "rows": \.rows, "examples": \.examples, "activity": \.activity,
  ]
}

struct SearchResultView: TemplateView {
  let text: String

  static let template = HTMLTemplate<Self>(PackageResources.result_mustache)
  static let names: TemplateNames<Self> = ["text": \.text]
}
