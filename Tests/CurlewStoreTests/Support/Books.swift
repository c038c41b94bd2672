import Curlew
import CurlewScreens
import CurlewStore

/// A book as on its own page.
struct Book: Entity, Codable {
  let id: Int
  var title: String
  var isStarred = false
}

/// A book as in a list's row.
struct BookRow: EntityView, Codable {
  let id: Int
  var title: String

  init(id: Int, title: String) { (self.id, self.title) = (id, title) }
  init(_ whole: Book) { (id, title) = (whole.id, whole.title) }
  func apply(to whole: inout Book) { whole.title = title }
}

/// The endpoints of a library, and the store's entries for their responses.
enum Library {
  static func book(_ id: Int) -> Request<Book> { .get("/books/\(id)") }
  static func books(_ key: PageKey? = nil) -> Request<[Book]> {
    .get("/books", query: ["page": key?.number])
  }
  static var rows: Request<[BookRow]> { .get("/rows") }
  static func star(_ id: Int) -> Request<Void> { .put("/stars/\(id)") }
  static func add(_ title: String) -> Request<Book> { .post("/books", query: ["title": title]) }

  static func bookEntry(_ id: Int) -> StoreEntry<Book> {
    StoreEntry(book(id), entities: .one(\.self)) { $0 }
  }
  static func rowsEntry() -> StoreEntry<[BookRow]> {
    StoreEntry(rows, entities: .each(\.self)) { $0 }.tagged("lists")
  }
  static func page(_ key: PageKey? = nil) -> StoreEntry<Page<Book>> {
    StoreEntry(books(key), entities: .each(\.items)) {
      Page($0, next: key == nil ? .number(2) : nil)
    }
  }
}
