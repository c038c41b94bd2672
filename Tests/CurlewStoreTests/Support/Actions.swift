import Curlew
import CurlewStore
import HTTPTypes

/// Stars a book: several requests have the effect of one.
struct StarBook: StoreAction {
  static let name = "star"
  let id: Int
  var isOn = true
  var request: Request<Void> { Library.star(id) }
  var queue: String { "star \(id)" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Book.self, id) { [isOn] in $0.isStarred = isOn }
  }
}

/// Adds a book, with a key.
struct AddBook: StoreAction {
  static let name = "add"
  let title: String
  var request: Request<Book> { Library.add(title) }
  var queue: String { "add" }
  var repeats: ActionRepeats { .byKey }
  func edit(_ edit: inout StoreEdit<Book>) {
    edit.insert(Book(id: -1, title: title), into: Library.page())
    edit.receive { $0 }
  }
}

/// Writes a title, of which each request counts.
struct WriteTitle: StoreAction {
  static let name = "title"
  let id: Int
  let title: String
  var isChecked = false
  var request: Request<Void> { .post("/titles/\(id)", query: ["title": title]) }
  var queue: String { "title \(id)" }
  var repeats: ActionRepeats { .never }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Book.self, id) { [title] in $0.title = title }
  }
  func check(in store: Store) async throws -> ActionOutcome? {
    guard isChecked else { return nil }
    let known = try await store.client.send(Library.book(id)).title
    return known == title ? .done : known == "Emma" ? .send : nil
  }
}

/// Changes the title of the book that its user has seen, unless another user has changed it.
struct Retitle: ConditionalAction {
  static let name = "retitle"
  var base: Book
  var title: String
  var isKeyed = false
  var entry: StoreEntry<Book> { Library.bookEntry(base.id) }
  var request: Request<Void> {
    .put("/titles/\(base.id)", query: ["title": title, "from": base.title])
  }
  var queue: String { "title \(base.id)" }
  var repeats: ActionRepeats { isKeyed ? .byKey : .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Book.self, base.id) { [title] in $0.title = title }
  }
  mutating func rebase(on newer: Book) -> ActionOutcome? {
    newer.title == title ? .done : newer.title == base.title ? .send : nil
  }
}

/// Stars or unstars a book, perhaps one that is not created yet.
struct ToggleStar: StoreAction {
  static let name = "toggle"
  var id: Int
  let isOn: Bool
  var repeats: ActionRepeats { .idempotent }
  var request: Request<Void> { isOn ? Library.star(id) : .delete("/stars/\(id)") }
  var queue: String { "star \(id)" }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(Book.self, id) { [isOn] in $0.isStarred = isOn }
  }
  mutating func resolve(_ ids: CreatedIDs) { id = ids[Book.self, id] }
  func collapse(with earlier: Self) -> [Self] { isOn == earlier.isOn ? [self] : [] }
}

/// Removes a book, whose data may be newer on the server.
struct RemoveBook: StoreAction {
  static let name = "remove"
  var request: Request<Void> { .delete("/books/1") }
  var queue: String { "book" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) { edit.invalidate(Library.bookEntry(1)) }
}

let allActions: [any StoreAction.Type] = [
  StarBook.self, AddBook.self, WriteTitle.self, Retitle.self, ToggleStar.self, RemoveBook.self,
]
