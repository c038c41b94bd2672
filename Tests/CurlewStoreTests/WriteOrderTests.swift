import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Testing

/// Tests overlapping writes whose responses contain the entity: a response counts as of the sending of its request.
@Suite(.timeLimit(.minutes(1)))
struct WriteOrderTests {
  private let test = TestStore(hasCache: false)
  private let star: StubGate
  private let rename: StubGate

  init() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.books(), with: .books([1: "Emma", 2: "Persuasion"]))
    (star, rename) = (test.stub.hold(Self.star), test.stub.hold(Self.rename))
  }

  private static let star = Request<Book>.put("/books/1/star")
  private static let rename = Request<Book>.patch("/books/1")

  private func perform(
    _ endpoint: Request<Book>, isShown: Bool = true,
    _ change: @escaping @Sendable (inout Book) -> Void
  ) {
    test.perform(endpoint, queue: "\(endpoint)") { edit in
      if isShown { edit.update(Book.self, 1, change) }
      edit.receive { $0 }
    }
  }

  @Test(arguments: [true, false])
  func `a response does not bring back an older title`(isShown: Bool) {
    let book = test.observe(Library.bookEntry(1))
    perform(Self.star, isShown: isShown) { $0.isStarred = true }
    perform(Self.rename, isShown: isShown) { $0.title = "New" }
    test.respond(to: rename, with: .book(1, "New", isStarred: true))
    test.respond(to: star, with: .book(1, "Emma", isStarred: true))
    #expect(book.latest == Book(id: 1, title: "New", isStarred: true))
  }

  @Test func `an edit stays if a later write's response lacks it`() {
    let book = test.observe(Library.bookEntry(1))
    perform(Self.star) { $0.isStarred = true }
    perform(Self.rename) { $0.title = "New" }
    test.respond(to: rename, with: .book(1, "New!"))
    #expect(book.latest == Book(id: 1, title: "New!", isStarred: true))
    test.respond(to: star, with: .book(1, "Emma", isStarred: true))
    #expect(book.latest == Book(id: 1, title: "New!", isStarred: true))
  }

  @Test(arguments: [true, false])
  func `a response from before an edit settled is beneath it`(isStarAnswered: Bool) {
    let book = test.observe(Library.bookEntry(1))
    perform(Self.rename, isShown: isStarAnswered) { $0.title = "New" }
    if isStarAnswered {
      perform(Self.star) { $0.isStarred = true }
      star.respond(with: .book(1, "Emma", isStarred: true))
    } else {
      test.stub.stub(Library.star(1), with: .status(.noContent))
      test.perform(Library.star(1), queue: "star") {
        $0.update(Book.self, 1) { $0.isStarred = true }
      }
    }
    test.settle()
    #expect(book.latest?.isStarred == true)
    test.respond(to: rename, with: .book(1, "New"))
    #expect(book.latest == Book(id: 1, title: "New", isStarred: true))
  }

  @Test func `a later response does not undo an answered edit`() {
    let book = test.observe(Library.bookEntry(1))
    perform(Self.star) { $0.isStarred = true }
    perform(Self.rename) { $0.title = "New" }
    test.respond(to: star, with: .book(1, "Emma", isStarred: true))
    #expect(book.latest == Book(id: 1, title: "New", isStarred: true))
    test.respond(to: rename, with: .book(1, "New!"))
    #expect(book.latest == Book(id: 1, title: "New!", isStarred: true))
    // A value that was requested after both is the newest.
    test.stub.stub(Library.book(1), with: .book(1, "Emma, by another user"))
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(book.latest == Book(id: 1, title: "Emma, by another user"))
  }

  @Test func `a response does not bring back a removed entity`() {
    let (book, list) = (test.observe(Library.bookEntry(1)), test.observe(Library.page()))
    perform(Self.rename) { $0.title = "New" }
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1), queue: "remove") { $0.remove(Book.self, 1) }
    test.respond(to: rename, with: .book(1, "New"))
    #expect(book.shown == .empty && list.latest?.items.map(\.id) == [2])
    #expect(test.store.entity(Book.self, 1) == nil)
    // A response to a write that is sent after the removal does.
    perform(Self.star) { $0.isStarred = true }
    test.respond(to: star, with: .book(1, "Emma", isStarred: true))
    #expect(list.latest?.items.map(\.id) == [1, 2])
  }

  @Test func `a read from before a response does not undo it`() {
    let book = test.observe(Library.bookEntry(1))
    let gate = test.stub.hold(Library.rows)
    perform(Self.rename) { $0.title = "New" }
    let rows = test.observe(Library.rowsEntry())
    test.respond(to: rename, with: .book(1, "New"))
    test.respond(to: gate, with: .books([1: "Emma"]))
    #expect(book.latest?.title == "New" && rows.latest?.map(\.title) == ["New"])
  }

  @Test func `a write that is released does not block its queue`() {
    let book = test.observe(Library.bookEntry(1))
    var write: StoreWrite? = test.store.write(Self.star, queue: "queue") { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
    }
    write?.begin()
    test.settle()
    #expect(book.latest?.isStarred == true)
    let next = test.perform(Self.rename, queue: "queue")
    #expect(rename.held.isEmpty)
    write = nil
    test.settle()
    #expect(book.latest?.isStarred == false && rename.held.count == 1)
    test.respond(to: rename, with: .book(1, "New"))
    let waiting = test.run { await test.store.writes.finished() }
    #expect(next.value == "done" && waiting.value != nil)
  }
}
