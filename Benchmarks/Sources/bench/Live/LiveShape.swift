import CurlewLive
import Foundation

/// The markup of the showcase's lists, with as many elements, attributes and bytes, rendered by a template.
struct LiveShape: Sendable {
  private struct Row: TemplateValues {
    let id: String
    let title: String
    let text: String
    let isPicked: Bool

    static let names: TemplateNames<Self> = [
      "id": \.id, "title": \.title, "text": \.text, "isPicked": \.isPicked,
    ]
  }

  private let kind: LiveRowsPage.Kind
  private let row: HTMLTemplate<Row>

  init(_ kind: LiveRowsPage.Kind) throws {
    self.kind = kind
    row = try HTMLTemplate(kind == .issues ? Self.issue : Self.movie)
  }

  func rows(_ items: [LiveRows.Item], picked: Int?) -> String {
    items.map { row($0, isPicked: $0.index == picked).text }.joined(separator: "\n")
  }

  func row(_ item: LiveRows.Item, isPicked: Bool) -> HTML {
    let changes = item.changes > 0 ? " (\(item.changes))" : ""
    return row(
      Row(
        id: item.id,
        title: "The compiler crashes on a closure in a generic initialiser\(changes)",
        text: "A long summary of what it is about, as long as overviews are. "
          + String(repeating: "Then the story goes on for another while. ", count: 5),
        isPicked: isPicked))
  }

  func page(_ state: LiveRows.State, rows: String) -> String {
    """
    <main class="page tracker" data-key="page">
    <header class="head" data-key="head"><h1>Open issues</h1>
    <p class="lead">What is there to do in a repository?</p></header>
    <section class="search" data-key="search" aria-label="Search">
    <form action="/issues" method="get" role="search" data-live-submit="submit">
    <label for="q">Repository</label>
    <div class="field">
    <input id="q" name="q" type="search" value="\(state.text)" placeholder="owner/name" \
    aria-describedby="status" autocomplete="off" spellcheck="false" data-live-input="term">
    <button type="submit">Search</button>
    </div>
    </form>
    <p id="status" class="status" role="status">\(state.items.count) shown</p>
    </section>
    <div id="progress" class="progress" aria-hidden="true"></div>
    <div id="panes" class="panes">
    <ol id="list" class="\(kind == .issues ? "issues" : "posters")" aria-label="List">
    \(rows)
    </ol>
    \(state.picked.map(panel) ?? "")
    </div>
    <p id="more" class="pager"><a class="button is-quiet" href="/list?page=\(state.items.count / 20 + 1)" \
    rel="next" data-live-row data-live-click="more">Next page</a></p>
    </main>
    """
  }

  private func panel(_ index: Int) -> String {
    """
    <article id="picked" class="picked" aria-labelledby="picked-title">
    <p class="bar"><span>#\(80_000 - index)</span><a href="/issues?q=apple/swift" \
    class="button is-quiet" data-live-click="close" data-live-escape>Close</a></p>
    <h2 id="picked-title" tabindex="-1" dir="auto" data-live-focus>The compiler crashes</h2>
    <p class="meta"><span dir="auto">ada</span> · 3 days ago · 5 comments</p>
    <div class="body" dir="auto">\
    \(String(repeating: "This is what happens, line by line. ", count: 20))</div>
    </article>
    """
  }

  private static let label = """
    <span class="label" title="bug"><svg viewBox="0 0 8 8" width="8" height="8" \
    aria-hidden="true"><circle cx="4" cy="4" r="3.500" fill="#ff0000"/></svg>\
    <span dir="auto">bug</span></span>
    """

  private static let issue = """
    <li data-key="apple/swift {{id}}"><a class="row{{#isPicked}} is-picked{{/isPicked}}" \
    href="/issues?q=apple/swift&amp;issue={{id}}" data-live-row data-live-click="pick" \
    data-live-value="apple/swift {{id}}"{{#isPicked}} aria-current="true"{{/isPicked}}>
    <span class="number">#{{id}}</span>
    <span class="title" dir="auto" title="{{title}}">{{title}}</span>
    <span class="labels">\(label)</span>
    <span class="meta clamp"><span dir="auto">ada</span> · 3 days ago · 5 comments</span>
    </a></li>
    """

  private static let movie = """
    <li class="movie" data-key="{{id}}" tabindex="-1" data-live-row>
    <span class="poster"><img src="/images/t/p/w342/{{id}}.svg" alt="" width="342" height="513" \
    loading="lazy" decoding="async"><span class="vote">\
    <svg viewBox="0 0 24 24" width="12" height="12" aria-hidden="true">\
    <path d="M12 3.500l2.600 5.500 6 .8-4.400 4.200 1.100 6-5.300-2.900L6.700 20l1.100-6z"/></svg>\
    <span class="unseen">Rated </span>8.1<span class="unseen"> of 10</span></span></span>
    <h2 class="clamp" lang="en-US" dir="auto" title="{{title}}">{{title}}</h2>
    <p class="meta">1979</p>
    <p class="summary" lang="en-US" dir="auto">{{text}}</p>
    </li>
    """
}
