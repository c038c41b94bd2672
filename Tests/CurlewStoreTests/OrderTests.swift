import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests the order of responses and edits, which does not depend on the device's date, and its limits.
@Suite(.timeLimit(.minutes(1)))
struct OrderTests {
  private let test = TestStore()

  init() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.star(1), with: .status(.noContent))
  }

  private func star(in store: Store? = nil) {
    test.perform(Library.star(1), in: store) { $0.update(Book.self, 1) { $0.isStarred = true } }
  }

  @Test(arguments: [true, false])
  func `an older cached list replaces no edit`(isRelaunched: Bool) {
    test.stub.stub(Library.books(), with: .books([1: "Emma"], .fresh(for: 86_400)))
    test.observe(Library.page()).stop()
    // The list is evicted, so that its value comes from the cache.
    test.advance(by: .seconds(400))
    test.date.advance(by: -3_600)
    let store = isRelaunched ? Store(test.client) : test.store
    let book = test.observe(Library.bookEntry(1), in: store)
    star(in: store)
    let list = test.observe(Library.page(), in: store)
    #expect(test.stub.requests.filter { $0.head.path == "/books" }.count == 1)
    #expect(list.latest?.items.first?.isStarred == true && book.latest?.isStarred == true)
  }

  @Test func `a newer list counts after the clock was set back`() {
    test.stub.stub(Library.books(), with: .books([1: "Emma II"], .fresh(for: 86_400)))
    let book = test.observe(Library.bookEntry(1))
    star()
    test.date.advance(by: -3_600)
    test.observe(Library.page()).stop()
    #expect(book.latest == Book(id: 1, title: "Emma II"))
    test.stub.stub(Library.rows, with: .books([1: "Emma III"]))
    test.observe(Library.rowsEntry()).stop()
    #expect(book.latest?.title == "Emma III")
    // The list is evicted, and comes from the cache: its age is known.
    test.advance(by: .seconds(400))
    _ = test.observe(Library.page())
    #expect(test.stub.requests.filter { $0.head.path == "/books" }.count == 1)
    #expect(book.latest?.title == "Emma III")
  }

  @Test func `a cached list is newer than an edit after that`() {
    test.stub.stub(Library.books(), with: .books([1: "Emma", 2: "Two"], .fresh(for: 86_400)))
    test.observe(Library.page()).stop()
    test.perform(Library.star(1)) { $0.remove(Book.self, 2, from: Library.page()) }
    #expect(test.store.value(of: Library.page())?.latest?.items.map(\.id) == [1])
    test.date.advance(by: -3_600)
    // The server has the book in the list again.
    let list = test.observe(Library.page())
    test.run { await test.store.invalidate(Library.books()) }
    #expect(list.latest?.items.map(\.id) == [1, 2])
    list.stop()
    test.advance(by: .seconds(400))
    #expect(test.observe(Library.page()).latest?.items.map(\.id) == [1, 2])
    #expect(test.stub.requests.filter { $0.head.path == "/books" }.count == 2)
  }

  @Test func `a request that the clock's change overtakes counts`() {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.books(), with: .books([1: "Emma II"], .fresh(for: 86_400)))
    // The date between the beginning of the transfer and its request.
    let clock = BackwardDate(test.date)
    let client = Client.stubbed(by: test.stub) { $0.cache = .memory(now: { clock.now }) }
    let store = Store(client)
    let own = test.observe(Library.bookEntry(1), in: store)
    clock.goesBack = true
    _ = test.observe(Library.page(), in: store)
    #expect(own.latest?.title == "Emma II" && book.latest?.title == "Emma")
  }

  @Test func `an entity's newest edit is protected after 10,000`() {
    let book = test.observe(Library.bookEntry(1))
    let gate = test.stub.hold(Library.rows)
    let rows = test.observe(Library.rowsEntry())
    test.perform(Library.star(1)) { edit in
      for number in 0...10_000 { edit.update(Book.self, 1) { $0.title = "Title \(number)" } }
    }
    test.respond(to: gate, with: .books([1: "Emma"]))
    #expect(book.latest?.title == "Title 10000" && rows.latest?.map(\.title) == ["Title 10000"])
  }

  @Test func `the newest 10,000 tagged URLs are known`() {
    var busy = Library.bookEntry(1)
    for number in 0...10_000 { busy = busy.tagged("\(number)") }
    test.observe(busy).stop()
    test.stub.stub(Library.rows, with: .books([1: "Emma"], .fresh(for: 3_600)))
    test.observe(Library.rowsEntry()).stop()
    test.advance(by: .seconds(301))
    test.stub.stub(Library.book(2), with: .book(2, "Persuasion"))
    _ = test.observe(Library.bookEntry(2))
    test.run { await test.store.invalidate(tag: "lists") }
    _ = test.observe(Library.rowsEntry())
    #expect(test.stub.requests.filter { $0.head.path == "/rows" }.count == 2)
  }
}

/// A date that is set back by an hour each time it is read.
private final class BackwardDate: Sendable {
  private let date: TestDate
  private let state = Mutex((goesBack: false, now: 0.0))

  init(_ date: TestDate) { self.date = date }

  var goesBack: Bool {
    get { state.withLock { $0.goesBack } }
    set { state.withLock { $0.goesBack = newValue } }
  }

  var now: Date {
    let offset = state.withLock { state in
      if state.goesBack { state.now -= 3_600 }
      return state.now
    }
    return date.now.addingTimeInterval(offset)
  }
}
