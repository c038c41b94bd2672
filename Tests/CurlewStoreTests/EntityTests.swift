import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests entities: a shared value for each id.
@Suite(.timeLimit(.minutes(1)))
struct EntityTests {
  private let test = TestStore(hasCache: false)

  /// A loan with an optional book.
  private struct Loan: Equatable, Sendable {
    var reader: String
    var book: BookRow?
  }

  @Test func `a row updates the whole, and the whole its rows`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", isStarred: true))
    let gate = test.stub.hold(Library.rows)
    let (book, rows) = (test.observe(Library.bookEntry(1)), test.observe(Library.rowsEntry()))
    test.respond(to: gate, with: .books([1: "Emma, by Jane Austen", 2: "Persuasion"]))
    #expect(book.latest == Book(id: 1, title: "Emma, by Jane Austen", isStarred: true))
    test.stub.stub(Library.book(1), with: .book(1, "Emma!", isStarred: true))
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(rows.latest?.map(\.title) == ["Emma!", "Persuasion"])
  }

  @Test func `a row whose whole is not known stands for itself`() {
    test.stub.stub(Library.rows, with: .books([2: "Persuasion"]))
    _ = test.observe(Library.rowsEntry())
    #expect(test.store.entity(BookRow.self, 2)?.title == "Persuasion")
    #expect(test.store.entity(Book.self, 2) == nil)
  }

  @Test func `a response that was requested earlier changes nothing`() {
    let (early, late) = (test.stub.hold(Library.rows), test.stub.hold(Library.book(1)))
    let (rows, book) = (test.observe(Library.rowsEntry()), test.observe(Library.bookEntry(1)))
    test.respond(to: late, with: .book(1, "newer"))
    test.respond(to: early, with: .books([1: "older", 2: "Persuasion"]))
    #expect(book.latest?.title == "newer")
    #expect(rows.latest?.map(\.title) == ["newer", "Persuasion"])
  }

  @Test func `of two rows of an unknown whole the later one counts`() {
    let more = StoreEntry(Request<[BookRow]>.get("/more"), entities: .each(\.self)) { $0 }
    let (early, late) = (test.stub.hold(Library.rows), test.stub.hold(.get, "/more"))
    let (first, second) = (test.observe(Library.rowsEntry()), test.observe(more))
    test.respond(to: late, with: .books([1: "newer"]))
    test.respond(to: early, with: .books([1: "older"]))
    #expect(first.latest?.first?.title == "newer" && second.latest?.first?.title == "newer")
  }

  @Test func `a row that was requested later stays above an older whole`() {
    let (early, late) = (test.stub.hold(Library.book(1)), test.stub.hold(Library.rows))
    let (book, rows) = (test.observe(Library.bookEntry(1)), test.observe(Library.rowsEntry()))
    test.respond(to: late, with: .books([1: "newer"]))
    test.respond(to: early, with: .book(1, "older", isStarred: true))
    #expect(book.latest == Book(id: 1, title: "newer", isStarred: true))
    #expect(rows.latest?.first?.title == "newer")
  }

  @Test func `an edit of a row stays above an older whole`() {
    let (whole, list) = (test.stub.hold(Library.book(1)), test.stub.hold(Library.rows))
    let (book, rows) = (test.observe(Library.bookEntry(1)), test.observe(Library.rowsEntry()))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.respond(to: list, with: .books([1: "Emma"]))
    test.perform(Library.star(1)) { edit in edit.update(BookRow.self, 1) { $0.title = "Emma!" } }
    test.respond(to: whole, with: .book(1, "Emma", isStarred: true))
    #expect(book.latest == Book(id: 1, title: "Emma!", isStarred: true))
    #expect(rows.latest?.first?.title == "Emma!")
  }

  @Test func `a value may have an entity, several, or none`() {
    let loan = StoreEntry(
      Request<[BookRow]>.get("/loan"), entities: .one(\Loan.book)
    ) { Loan(reader: "Ann", book: $0.first) }
    test.stub.stub(.get, "/loan", with: .books([1: "Emma"]), .json("[]"))
    let consumer = test.observe(loan)
    test.stub.stub(Library.rows, with: .books([1: "Emma II"]))
    _ = test.observe(Library.rowsEntry())
    #expect(consumer.latest == Loan(reader: "Ann", book: BookRow(id: 1, title: "Emma II")))
    test.run { await test.store.invalidate(Request<[BookRow]>.get("/loan")) }
    #expect(consumer.latest == Loan(reader: "Ann", book: nil))
  }

  @Test func `an entity of another account is another one`() {
    let test = TestStore {
      $0.cache = .memory(account: { $0.head.path?.hasPrefix("/books") == true ? "a" : "b" })
    }
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.rows, with: .books([1: "Other"]))
    let (book, rows) = (test.observe(Library.bookEntry(1)), test.observe(Library.rowsEntry()))
    #expect(book.latest?.title == "Emma" && rows.latest?.first?.title == "Other")
    #expect(test.store.entity(Book.self, 1, account: "a")?.title == "Emma")
    #expect(test.store.entity(BookRow.self, 1, account: "b")?.title == "Other")
    test.run { await test.store.clear(account: "a") }
    #expect(book.shown == .idle && rows.latest != nil)
    #expect(test.store.entity(Book.self, 1, account: "a") == nil)
  }

  /// Accounts and URLs that `String` takes for equal (Unicode Standard Annex #15), but no server does.
  @Test(arguments: [
    ("jos\u{e9}", "jose\u{301}"), ("K", "\u{212a}"), ("\u{c5}", "\u{212b}"), (";", "\u{37e}"),
    ("\u{ac00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
  ])
  func `accounts and fields are compared by bytes`(one: String, other: String) {
    let test = TestStore()
    let user = Mutex(one)
    let store = Store(test.client, account: { user.withLock { $0 } })
    test.stub.stub(Library.book(1), with: .book(1, "One's"), .book(1, "Other's"))
    let first = test.observe(Library.bookEntry(1), in: store)
    user.withLock { $0 = other }
    let second = test.observe(Library.bookEntry(1), in: store)
    #expect(first.latest?.title == "One's" && second.latest?.title == "Other's")
    #expect(store.entity(Book.self, 1, account: one)?.title == "One's")
    #expect(store.entity(Book.self, 1, account: other)?.title == "Other's")
    test.run { await store.clear(account: one) }
    #expect(first.shown == .idle && second.latest?.title == "Other's")
    #expect(store.entity(Book.self, 1, account: one) == nil)
    // Requests that differ in the bytes of a field are different entries.
    let name = HTTPField.Name("X-Name")!
    let entries = [one, other].map { value in
      StoreEntry(Request<[BookRow]>.get("/rows", headerFields: [name: value])) { $0.map(\.title) }
    }
    test.stub.stub(Library.rows, with: .books([1: "One"]), .books([1: "Other"]))
    let rows = entries.map { test.observe($0, in: store) }
    #expect(rows.map { $0.latest ?? [] } == [["One"], ["Other"]])
  }

  @Test func `after a sign-out nothing of before arrives`() {
    let test = TestStore()
    let gate = test.stub.hold(Library.book(1))
    let consumer = test.observe(Library.bookEntry(1))
    test.run { await test.store.clear() }
    #expect(gate.cancelled == 1)
    #expect(consumer.shown == .idle && test.store.entity(Book.self, 1) == nil)
    _ = test.observe(Library.bookEntry(1))
    #expect(gate.held.count == 1)
  }
}
