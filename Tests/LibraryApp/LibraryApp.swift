public import Curlew
import CurlewAsyncHTTPClient
import CurlewLive
import CurlewSQLite
import CurlewScreens
import CurlewStore
public import Foundation

public import struct Hummingbird.BasicRequestContext
public import class Hummingbird.Router

struct Book: Entity, Decodable {  // shared
  let id: String
  var title, author, summary: String
  var year: Int
  var isStarred: Bool
}

struct BookRow: EntityView, Decodable {  // shared
  let id: String
  var title, author: String
  var isStarred: Bool

  init(_ book: Book) {  // shared
    (id, title, author, isStarred) = (book.id, book.title, book.author, book.isStarred)  // shared
  }
  func apply(to book: inout Book) { book.isStarred = isStarred }  // shared
}

struct BookList: Decodable, Sendable {
  let results: [BookRow]
  let count: Int?
  let nextCursor: String?
}

enum API {
  static func books(_ text: String, _ key: PageKey? = nil) -> Request<BookList> {
    .get("/books", query: ["q": text.isEmpty ? nil : text, "cursor": key?.cursor])
  }
  static var stars: Request<BookList> { .get("/me/stars") }
  static func star(_ id: String, _ isOn: Bool) -> Request<Void> {
    isOn ? .put("/me/stars/\(id)") : .delete("/me/stars/\(id)")
  }

  static func page(_ text: String, _ key: PageKey?) -> StoreEntry<Page<BookRow>> {
    StoreEntry(books(text, key), entities: .each(\.items)) { list in
      Page(list.results, next: list.nextCursor.map { .cursor($0) }, total: list.count)
    }
  }
  static func entry(_ id: String) -> StoreEntry<Book> {
    StoreEntry(Request<Book>.get("/books/\(id)"), entities: .one(\.self)) { $0 }
  }
  static let starred = StoreEntry(stars, entities: .each(\.self)) { $0.results }  // shared
}

/// A screen that shows how many books are starred and can star books.
struct Starring<Content: Screen>: Screen {
  struct State: Equatable, Sendable {
    var content: Content.State
    var starred = Loadable<[BookRow]>.idle
    var problem: LoadFailure?
  }
  enum Event: Sendable {
    case content(Content.Event)
    case star(String, Bool)
  }

  let content: Content
  let store: Store

  var initial: State { State(content: content.initial) }
  var parts: [Part<State, Event>] { [Part(\.content, content, event: Event.content)] }

  func begin(_ state: inout State, _ work: inout Work<State>) {
    work.follow("starred", API.starred, in: store, \.starred)  // shared
  }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event): work.scope(\.content) { content.handle(event, &state.content, &$0) }
    case .star(let id, let isOn):
      state.problem = nil
      work.perform(API.star(id, isOn), in: store, queue: "star \(id)") { edit in  // shared
        edit.update(BookRow.self, id) { $0.isStarred = isOn }  // shared
        if isOn { edit.insert(BookRow.self, id, into: API.starred) }  // shared
        if !isOn { edit.remove(BookRow.self, id, from: API.starred) }  // shared
        edit.invalidate(API.books(""), andBelow: true)  // shared
        edit.invalidate(API.starred)  // shared
      } finished: { state, result, _ in
        if case .failure(let error) = result { state.problem = LoadFailure(error) }
      }
    }
  }
}

let star = """
  <button type="button" data-live-click="{{#isStarred}}unstar{{/isStarred}}{{^isStarred}}star{{/isStarred}}" \
  data-live-value="{{id}}" aria-label="Star" aria-pressed="{{isStarred}}">\
  {{#isStarred}}★{{/isStarred}}{{^isStarred}}☆{{/isStarred}}</button>
  """

struct FrameView: TemplateValues {
  let stars: String
  let problem: String?
  let content: HTML
  static let names: TemplateNames<Self> = [
    "stars": \.stars, "problem": \.problem, "content": \.content,
  ]
  static let template = try! HTMLTemplate<Self>(
    """
    <header><a href="/">Library</a> <b id="badge" aria-label="Books with a star">★ {{stars}}</b></header>
    {{#problem}}<p id="problem" role="alert">{{.}}</p>{{/problem}}<main>{{{content}}}</main>
    """)
}

extension LivePage {
  func frame<Inner>(_ state: Starring<Inner>.State, _ content: HTML) -> HTML {
    let stars = state.starred.latest.map { "\($0.count)" } ?? "–", problem = state.problem?.message
    return FrameView.template(FrameView(stars: stars, problem: problem, content: content))
  }
  func star<Inner>(_ action: LiveAction) -> Starring<Inner>.Event? {
    ["star", "unstar"].contains(action.name) ? .star(action.value, action.name == "star") : nil
  }
}

struct RowView: TemplateValues {
  let row: BookRow
  static let names: TemplateNames<Self> = [
    "id": \.row.id, "title": \.row.title, "author": \.row.author, "isStarred": \.row.isStarred,
  ]
  static let template = try! HTMLTemplate<Self>(
    #"<li data-key="{{id}}">{{> star}} <a href="/books/{{id}}">{{title}}</a> {{author}}</li>"#,
    partials: ["star": star])
}

struct ShelfView: TemplateValues {
  let state: PagedSearch<BookRow>.State
  let rows: LivePiece
  var failure: String? { state.list.failure?.message }
  var count: String { state.list.total.map { "\($0) books" } ?? "" }
  var more: Bool { state.list.next != nil }
  static let names: TemplateNames<Self> = [
    "text": \.state.text, "rows": \.rows, "failure": \.failure, "count": \.count, "more": \.more,
  ]
  static let template = try! HTMLTemplate<Self>(
    """
    <form id="search"><input name="q" value="{{text}}" aria-label="Search" data-live-input="term"></form>
    <p id="count">{{count}}</p>{{#failure}}<p id="failure">{{.}}</p>{{/failure}}<ul id="books">{{{rows}}}</ul>
    {{#more}}<button id="more" type="button" data-live-click="more">More</button>{{/more}}
    """)
}

struct ShelfPage: LivePage {
  typealias Content = Starring<PagedSearch<BookRow>>
  let path = "/"
  let screen: Content

  func events(for query: LiveQuery, in state: Content.State) -> [Content.Event] {
    [.content(.term(query["q"] ?? "")), .content(.submit())]
  }
  func event(for action: LiveAction) -> Content.Event? {
    if action.name == "term" { return .content(.term(action.value)) }
    return action.name == "more" ? .content(.list(.more)) : star(action)
  }
  func address(of state: Content.State) -> LiveAddress {
    LiveAddress(["q": state.content.query.isEmpty ? nil : state.content.query])
  }
  func title(of state: Content.State) -> String { "Library" }
  func render(_ state: Content.State, _ activity: ScreenActivity) -> HTML {
    let (content, items) = (state.content, state.content.list.items)
    let rows = LivePiece("rows", rows: items, key: \.id) { RowView.template(RowView(row: $0)) }
    return frame(state, ShelfView.template(ShelfView(state: content, rows: rows)))
  }
}

struct BookView: TemplateValues {
  let title: String
  let book: Book?
  var facts: String? { book.map { "\($0.author), \($0.year): \($0.summary)" } }
  var id: String? { book?.id }
  var isStarred: Bool { book?.isStarred ?? false }
  static let names: TemplateNames<Self> = [
    "title": \.title, "facts": \.facts, "id": \.id, "isStarred": \.isStarred,
  ]
  static let template = try! HTMLTemplate<Self>(
    "<h1>{{title}}</h1>{{#facts}}<p>{{.}}</p>{{> star}}{{/facts}}", partials: ["star": star])
}

struct BookPage: LivePage {
  typealias Content = Starring<Detail<String, BookRow, Book>>
  let path = "/books/{id}"
  let screen: Content

  func events(for query: LiveQuery, in state: Content.State) -> [Content.Event] {
    query["id"].map { [.content(.show($0))] } ?? []
  }
  func event(for action: LiveAction) -> Content.Event? { star(action) }
  func address(of state: Content.State) -> LiveAddress {
    LiveAddress(path: "/books/\(state.content.id ?? "")")
  }
  func title(of state: Content.State) -> String {
    let (book, failure) = (state.content.content.latest, state.content.content.failure)
    return book?.title ?? state.content.known?.title ?? failure?.message ?? "Book"
  }
  func render(_ state: Content.State, _ activity: ScreenActivity) -> HTML {
    let book = BookView(title: title(of: state), book: state.content.content.latest)
    return frame(state, BookView.template(book))
  }
}

/// Creates the app's pages for the API at a URL; loaded data is stored in a file.
public func libraryRouter(_ baseURL: BaseURL, cache: URL) -> Router<BasicRequestContext> {
  let client = Client(baseURL: baseURL) {
    $0.transport = .asyncHTTPClient
    $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    $0.cache = .sqlite(at: cache)
  }
  let store = Store(client)  // shared
  let shelf = PagedSearch(listsAll: true) { text in store.source { API.page(text, $0) } }
  let book = Detail(source: store.source { API.entry($0) }) as Detail<String, BookRow, Book>
  let router = Router()
  router.add(LiveAsset.script)
  let frame = try! HTMLTemplate<LiveDocument>(
    """
    <!doctype html><html lang="en"><head><title>{{title}}</title>{{{head}}}</head><body>{{{content}}}</body></html>
    """)
  router.add(ShelfPage(screen: Starring(content: shelf, store: store))) { frame($0) }
  router.add(BookPage(screen: Starring(content: book, store: store))) { frame($0) }
  return router
}
