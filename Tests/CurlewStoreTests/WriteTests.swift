import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests writes: their edits are shown at once, and are kept or reverted depending on the response.
@Suite(.timeLimit(.minutes(1)))
struct WriteTests {
  private let test = TestStore(hasCache: false)

  init() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.books(), with: .books([1: "Emma", 2: "Persuasion"]))
  }

  @Test func `edits show before the request has left, all at once`() {
    let (book, list) = (test.observe(Library.bookEntry(1)), test.observe(Library.page()))
    let gate = test.stub.hold(Library.star(1))
    let write = test.perform(Library.star(1)) { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
      edit.update(Book.self, 1) { $0.title = "Emma ★" }
      edit.remove(Book.self, 2)
    }
    #expect(book.all.map(\.latest?.title) == [nil, "Emma", "Emma ★"])
    #expect(
      list.all.map { $0.latest?.items.map(\.title) } == [nil, ["Emma", "Persuasion"], ["Emma ★"]])
    test.respond(to: gate, with: .status(.noContent))
    #expect(write.value == "done")
    #expect(book.all.count == 3 && list.all.count == 3)
  }

  @Test(arguments: [true, false])
  func `a write edits a shared value, too`(succeeds: Bool) {
    let count = Shared(1)
    let gate = test.stub.hold(Library.star(1))
    let write = test.store.write(Library.star(1), queue: "star") { edit in
      edit.update(count) { $0 += 1 }
    }
    #expect(count.value == 1)
    write.begin()
    #expect(count.value == 2)
    test.run { _ = try? await write.finish() }
    #expect(count.value == 2)
    test.respond(to: gate, with: .status(succeeds ? .noContent : .conflict))
    #expect(count.value == (succeeds ? 2 : 1))
    write.begin()
    #expect(count.value == (succeeds ? 2 : 1))
  }

  @Test func `a write that is released takes its edit of a shared value back`() {
    let count = Shared(1)
    var write: StoreWrite? = test.store.write(Library.star(1), queue: "star") { edit in
      edit.update(count) { $0 += 1 }
    }
    write?.begin()
    #expect(count.value == 2)
    write = nil
    #expect(count.value == 1)
  }

  @Test func `a write in two steps shows before it is sent`() {
    let book = test.observe(Library.bookEntry(1))
    let gate = test.stub.hold(Library.star(1))
    let write = test.store.write(Library.star(1), queue: "star") { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
    }
    #expect(book.latest?.isStarred == false)
    write.begin()
    write.begin()
    test.settle()
    #expect(book.latest?.isStarred == true && gate.held.isEmpty)
    let outcome = test.run { (try? await write.finish()) != nil }
    #expect(gate.held.count == 1)
    test.respond(to: gate, with: .status(.forbidden))
    #expect(outcome.value == false && book.latest?.isStarred == false)
  }

  @Test func `edits that fail go, each alone and in any order`() {
    let book = test.observe(Library.bookEntry(1))
    let gates = (1...3).map { test.stub.hold(Library.star($0)) }
    let writes = (1...3).map { id in
      test.perform(Library.star(id), queue: "\(id)") { edit in
        edit.update(Book.self, 1) { $0.title += " \(id)" }
      }
    }
    #expect(book.latest?.title == "Emma 1 2 3")
    test.respond(to: gates[1], with: .status(.conflict))
    #expect(book.latest?.title == "Emma 1 3")
    test.respond(to: gates[2], with: .status(.noContent))
    #expect(book.latest?.title == "Emma 1 3")
    test.respond(to: gates[0], with: .status(.conflict))
    #expect(book.latest?.title == "Emma 3")
    #expect(writes.map(\.value) == ["409", "409", "done"])
  }

  @Test func `a response from before the edit does not undo it`() {
    let lists = test.stub.hold(Library.books())
    let (book, list) = (test.observe(Library.bookEntry(1)), test.observe(Library.page()))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1)) { edit in edit.update(Book.self, 1) { $0.isStarred = true } }
    test.respond(to: lists, with: .books([1: "Emma", 2: "Persuasion"]))
    #expect(list.latest?.items.map(\.isStarred) == [true, false] && book.latest?.isStarred == true)
    // A response to a later request does.
    test.run { await test.store.invalidate(Library.books()) }
    test.respond(to: lists, with: .books([1: "Emma"]))
    #expect(list.latest?.items.map(\.isStarred) == [false] && book.latest?.isStarred == false)
  }

  @Test func `what the cache has from before an edit does not undo it`() {
    let test = TestStore()
    test.stub.stub(Library.books(), with: .books([1: "Emma"], .fresh(for: 3_600)))
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 3_600)))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.observe(Library.page()).stop()
    // The list is evicted, so that the store doesn't know the cached list's content.
    test.advance(by: .seconds(400))
    let book = test.observe(Library.bookEntry(1))
    test.perform(Library.star(1)) { edit in edit.update(Book.self, 1) { $0.isStarred = true } }
    let list = test.observe(Library.page())
    #expect(test.stub.requests.filter { $0.head.path == "/books" }.count == 1)
    #expect(list.latest?.items.first?.isStarred == true && book.latest?.isStarred == true)
  }

  @Test func `one queue serves everybody, in the order of the events`() {
    let gates = (1...3).map { test.stub.hold(Library.star($0)) }
    let writes = (1...3).map { test.perform(Library.star($0), queue: "star") }
    let other = test.perform(Library.star(1), queue: "other")
    #expect(gates.map(\.held.count) == [2, 0, 0])
    test.respond(to: gates[0], with: .status(.conflict))
    #expect(gates.map(\.held.count) == [1, 1, 0])
    writes[2].cancel()
    test.settle()
    test.respond(to: gates[1], with: .status(.noContent))
    #expect(gates.map(\.held.count) == [1, 0, 0])
    #expect(writes[2].value == "cancelled" && other.value == nil)
    test.perform(Library.star(3), queue: "star")
    #expect(gates[2].held.count == 1)
  }

  @Test func `an inserted entity gets the server's id`() {
    let list = test.observe(Library.page())
    let gate = test.stub.hold(Library.add("Sanditon"))
    let write = test.perform(Library.add("Sanditon")) { edit in
      edit.insert(Book(id: -1, title: "Sanditon"), into: Library.page(), at: 1)
      edit.receive { $0 }
    }
    #expect(list.latest?.items.map(\.id) == [1, -1, 2])
    test.respond(to: gate, with: .book(7, "Sanditon, unfinished"))
    #expect(write.value == "done")
    #expect(list.latest?.items.map(\.id) == [1, 7, 2])
    #expect(list.latest?.items[1].title == "Sanditon, unfinished")
    #expect(test.store.entity(Book.self, -1) == nil)
    // Until the server sends the list again.
    test.run { await test.store.invalidate(Library.books()) }
    #expect(list.latest?.items.map(\.id) == [1, 2])
  }

  @Test func `edits of an inserted entity show in the list`() {
    let list = test.observe(Library.page())
    let gates = [test.stub.hold(Library.add("Sanditon")), test.stub.hold(Library.star(7))]
    test.perform(Library.add("Sanditon")) { edit in
      edit.insert(Book(id: -1, title: "Sanditon"), into: Library.page())
      edit.receive { $0 }
    }
    test.perform(Library.star(7), queue: "other") { edit in
      edit.update(Book.self, -1) { $0.title += "!" }
      edit.update(Book.self, 7) { $0.isStarred = true }
    }
    #expect(list.latest?.items.map(\.title) == ["Sanditon!", "Emma", "Persuasion"])
    test.respond(to: gates[0], with: .book(7, "Sanditon"))
    #expect(list.latest?.items.first == Book(id: 7, title: "Sanditon", isStarred: true))
    test.respond(to: gates[1], with: .status(.conflict))
    #expect(list.latest?.items.first == Book(id: 7, title: "Sanditon"))
  }

  @Test func `the cache's copies of what was edited are validated`() {
    let test = TestStore()
    test.stub.stub(
      Library.book(1), with: .book(1, "Emma", .fresh(for: 3_600)),
      .book(1, "Emma", isStarred: true, .fresh(for: 3_600)))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    let consumer = test.observe(Library.bookEntry(1))
    test.perform(Library.star(1)) { edit in edit.update(Book.self, 1) { $0.isStarred = true } }
    #expect(test.stub.requests.count == 2 && consumer.latest?.isStarred == true)
    // As after a relaunch.
    let later = test.observe(Library.bookEntry(1), in: Store(test.client))
    #expect(test.stub.requests.count == 3 && later.latest?.isStarred == true)
  }

  @Test func `after a write of unknown outcome the server is asked`() {
    let list = test.observe(Library.page())
    test.stub.stub(Library.books(), with: .books([9: "Nine"]))
    test.stub.stub(
      Library.star(1), with: .failure(Client.TransportFailure(.lost, reason: "lost")))
    test.perform(Library.star(1)) { $0.invalidate(Library.books()) }
    #expect(list.latest?.items.map(\.id) == [9])
  }

  @Test func `a queued write is not sent after a sign-out`() {
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1))
    let waiting = test.perform(Library.star(2)) { $0.update(Book.self, 2) { $0.isStarred = true } }
    test.run { await test.store.clear() }
    test.respond(to: gate, with: .status(.noContent))
    #expect(waiting.value == "cancelled" && test.stub.requests.count == 1)
  }

  @Test func `a sign-out of the client clears its stores and their writes`() {
    test.stub.stub(Library.book(1), with: .book(1, "One"))
    let gate = test.stub.hold(Library.star(1))
    let (book, write) = (test.observe(Library.bookEntry(1)), test.perform(Library.star(1)))
    let waiting = test.perform(Library.star(1))
    #expect(book.latest?.title == "One")
    test.run { await test.client.signOut() }
    test.respond(to: gate, with: .status(.internalServerError))
    #expect(book.all.last == .idle)
    #expect(test.store.entity(Book.self, 1) == nil)
    #expect(write.value == "cancelled" && waiting.value == "cancelled")
    #expect(test.stub.requests.count == 2)
  }

  @Test func `a write that fails after a sign-out is cancelled`() {
    let gate = test.stub.hold(Library.star(1))
    let write = test.perform(Library.star(1))
    test.run { await test.store.clear() }
    test.respond(to: gate, with: .status(.internalServerError))
    #expect(write.value == "cancelled")
  }

  @Test func `the store's own account tells its users apart`() {
    let user = Mutex<String?>("ann")
    let store = Store(test.client, account: { user.withLock { $0 } })
    test.stub.stub(Library.book(1), with: .book(1, "Ann's"), .book(1, "Bob's"))
    let ann = test.observe(Library.bookEntry(1), in: store)
    user.withLock { $0 = "bob" }
    let bob = test.observe(Library.bookEntry(1), in: store)
    #expect(ann.latest?.title == "Ann's" && bob.latest?.title == "Bob's")
    #expect(store.entity(Book.self, 1)?.title == "Bob's")
    #expect(store.entity(Book.self, 1, account: "ann")?.title == "Ann's")
    test.run { await store.clear(account: "ann") }
    #expect(ann.shown == .idle && bob.latest != nil)
  }

  @Test func `an entity is taken out of one list, and stays in others`() {
    test.stub.stub(Library.rows, with: .books([1: "Emma", 2: "Persuasion"]))
    let (list, rows) = (test.observe(Library.page()), test.observe(Library.rowsEntry()))
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1)) { $0.remove(BookRow.self, 1, from: Library.rowsEntry()) }
    #expect(list.latest?.items.map(\.id) == [1, 2] && rows.latest?.map(\.id) == [2])
    test.respond(to: gate, with: .status(.conflict))
    #expect(rows.latest?.map(\.id) == [1, 2])
  }

  @Test func `a list is named by its entry, too`() {
    let list = test.observe(Library.page())
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1)) { edit in
      edit.insert(Book(id: 9, title: "Nine"), into: Library.page())
      edit.remove(Book.self, 2, from: Library.page())
    }
    test.perform(Library.star(1), queue: "other") { edit in
      edit.insert(Book.self, 2, into: Library.page(), at: .max)
    }
    #expect(list.latest?.items.map(\.id) == [9, 1, 2])
    test.respond(to: gate, with: .status(.conflict))
    #expect(list.latest?.items.map(\.id) == [1, 2])
    let waiting = test.run { await test.store.writes.finished() }
    #expect(waiting.value == nil)
    test.respond(to: gate, with: .status(.conflict))
    #expect(waiting.value != nil)
  }

  @Test func `an insertion that is refused goes`() {
    let list = test.observe(Library.page())
    let gate = test.stub.hold(Library.add("Sanditon"))
    test.perform(Library.add("Sanditon")) { edit in
      edit.insert(Book(id: -1, title: "Sanditon"), into: Library.page(), at: .max)
    }
    test.respond(to: gate, with: .status(.conflict))
    #expect(list.all.compactMap { $0.latest?.items.map(\.id) } == [[1, 2], [1, 2, -1], [1, 2]])
    #expect(test.store.entity(Book.self, -1) == nil)
  }

  @Test func `the response to a write takes the place of its edits`() {
    let book = test.observe(Library.bookEntry(1))
    let gate = test.stub.hold(Library.add("x"))
    test.perform(Library.add("x")) { edit in
      edit.update(Book.self, 1) { $0.title = "Emma, 3rd edition" }
      edit.receive { $0 }
    }
    test.respond(to: gate, with: .book(1, "Emma, third edition", isStarred: true))
    #expect(
      book.all.map(\.latest?.title) == [nil, "Emma", "Emma, 3rd edition", "Emma, third edition"])
    #expect(book.latest?.isStarred == true)
  }

  @Test func `what was removed comes back when the server sends it again`() {
    let (book, list) = (test.observe(Library.bookEntry(1)), test.observe(Library.page()))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1)) { $0.remove(Book.self, 1) }
    #expect(book.shown == .empty && list.latest?.items.map(\.id) == [2])
    test.stub.stub(Library.book(1), with: .status(.notFound))
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(list.latest?.items.map(\.id) == [2])
    test.run { await test.store.invalidate(Library.books()) }
    #expect(list.latest?.items.map(\.id) == [1, 2])
  }

  @Test func `what was removed does not come back in an older response`() {
    let (older, newer) = (test.stub.hold(Library.book(1)), test.stub.hold(Library.rows))
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1)) { $0.remove(Book.self, 1) }
    let rows = test.observe(Library.rowsEntry())
    test.respond(to: newer, with: .books([1: "Emma, again"]))
    test.respond(to: older, with: .book(1, "Emma"))
    #expect(rows.latest?.map(\.title) == ["Emma, again"] && book.latest == nil)
  }

  @Test func `after success what is invalidated is loaded, and not before`() {
    let test = TestStore()
    test.stub.stub(Library.books(), with: .books([1: "Emma"], .fresh(for: 60)), .books([2: "Two"]))
    let list = test.observe(Library.page())
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1)) { $0.invalidate(Library.books()) }
    #expect(test.stub.requests.count == 2)
    test.respond(to: gate, with: .status(.noContent))
    #expect(list.latest?.items.map(\.id) == [2])
    let refused = test.stub.hold(Library.star(2))
    test.perform(Library.star(2)) { $0.invalidate(Library.page()) }
    test.respond(to: refused, with: .status(.forbidden))
    #expect(test.stub.requests.count == 4)
    // A conflict means that the stored values are outdated.
    test.perform(Library.star(2)) { $0.invalidate(Library.page()) }
    test.respond(to: refused, with: .status(.conflict))
    #expect(test.stub.requests.count == 6)
  }

  @Test func `an edit can't change an id`() {
    let list = test.observe(Library.page())
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1)) { edit in
      edit.update(Book.self, 1) { $0 = Book(id: 2, title: "another") }
    }
    #expect(list.latest?.items.map(\.title) == ["Emma", "Persuasion"])
    test.respond(to: gate, with: .status(.noContent))
  }
}
