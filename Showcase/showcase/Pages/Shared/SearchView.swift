import CurlewLive
import CurlewScreens

/// The texts and switches of the generic search's template.
struct SearchView: PageView {
  struct Example {
    let text: String
    let query: String
  }

  static let template = Template(PackageResources.search_mustache)

  let path: String
  let title: String
  let lead: String
  let label: String
  let search: SearchResultsView
  let status: String
  let activity: ActivityView
  let rows: [String]
  let examples: [Example]

  var leftOut: LeftOut? { search.leftOut }

  init<Item>(_ tracked: Tracked<Search<Item>>.State, _ page: SearchPage<Item>) {
    let search = tracked.content.shown
    let searched: LiveQuery = ["q": search.term]
    path = page.path
    (title, lead, label) = (page.texts.title, page.texts.lead, page.texts.label)
    self.search = SearchResultsView(search, isBusy: tracked.activity.isVisible)
    status = search.status(failed: "The search did not work.") { items in
      items.count == 1 ? "1 result" : "\(items.count) results"
    }
    activity = ActivityView(
      tracked.activity, failure: search.results.failure, isEmpty: search.items.isEmpty,
      retry: page.path + searched.text)
    rows = search.items.map(page.row)
    examples = page.texts.examples.map { text in
      let query: LiveQuery = ["q": text]
      return Example(text: text, query: query.text)
    }
  }
}
