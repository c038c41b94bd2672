import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

struct Book: Entity, Codable {
  let id: Int
  var title: String
  var isStarred = false
}

struct BookRow: EntityView {
  let id: Int
  var title: String

  init(id: Int, title: String) { (self.id, self.title) = (id, title) }
  init(_ whole: Book) { (id, title) = (whole.id, whole.title) }
  func apply(to whole: inout Book) { whole.title = title }
}

enum Library {
  static func book(_ id: Int) -> StoreEntry<Book> {
    StoreEntry(Request<Book>.get("/books/\(id)"), entities: .one(\.self)) { $0 }
  }
  static func books(_ key: PageKey? = nil) -> StoreEntry<Page<Book>> {
    StoreEntry(list(key), entities: .each(\.items)) { Page($0, next: key == nil ? .number(2) : nil) }
  }
  static func list(_ key: PageKey? = nil) -> Request<[Book]> {
    .get("/books", query: ["page": key?.number])
  }
  static func star(_ id: Int) -> Request<Void> { .put("/stars/\(id)") }
}

@Suite struct StoreTests {
  let stub = StubTransport()
  let store: Store

  init() {
    store = Store(Client.stubbed(by: stub) { $0.cache = .memory() })
    stub.stub(Request<Void>.get("/books/1"), with: .json(#"{"id":1,"title":"One","isStarred":false}"#))
    stub.stub(
      Library.list(),
      with: .json(
        #"[{"id":1,"title":"One","isStarred":false},{"id":2,"title":"Two","isStarred":false}]"#))
    stub.stub(Library.star(1), with: .status(.noContent))
  }

  @Test func `a detail and a list show one edit`() async throws {
    let list = ScreenProbe(Feed(store: store) { Library.books($0) })
    let detail = ScreenProbe(Detail<Int, Book, Book>(store: store) { Library.book($0) })
    list.send(.load)
    #expect(list.state.items.map(\.title) == ["One", "Two"])
    detail.send(.show(1))
    #expect(detail.states.dropFirst().first?.known?.title == "One")
    #expect(detail.state.content.latest?.title == "One")
    let write = Task { try await store.perform(Library.star(1), queue: "star 1") { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
    } }
    try await write.value
    list.settle()
    detail.settle()
    #expect(list.state.items.map(\.isStarred) == [true, false])
    #expect(detail.state.content.latest?.isStarred == true)
    #expect(detail.state.content.isLoading == false)
  }
}
