import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests entries: when they load, their states while loading, and when they are evicted.
@Suite(.timeLimit(.minutes(1)))
struct EntryTests {
  private let test = TestStore()

  // MARK: Transfers

  @Test func `ten consumers share one transfer`() {
    let gate = test.stub.hold(Library.book(1))
    let consumers = (1...10).map { _ in test.observe(Library.bookEntry(1)) }
    #expect(gate.held.count == 1)
    #expect(consumers.allSatisfy { $0.all == [.loading(last: nil)] })
    test.respond(to: gate, with: .book(1, "Emma"))
    #expect(consumers.allSatisfy { $0.latest?.title == "Emma" && $0.all.count == 2 })
    #expect(test.stub.requests.count == 1)
  }

  @Test func `a transfer continues for the remaining consumers`() {
    let gate = test.stub.hold(Library.book(1))
    let (first, second) = (test.observe(Library.bookEntry(1)), test.observe(Library.bookEntry(1)))
    first.stop()
    test.settle()
    #expect(gate.cancelled == 0)
    second.stop()
    test.settle()
    #expect(gate.cancelled == 1 && gate.held.isEmpty)
  }

  @Test func `what is fresh is not loaded again`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)), .book(1, "Emma II"))
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(59))
    #expect(test.observe(Library.bookEntry(1)).all.map(\.latest?.title) == ["Emma"])
    #expect(test.stub.requests.count == 1)
  }

  @Test func `what is shown now can be read without loading it`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    #expect(test.store.value(of: Library.bookEntry(1)) == nil)
    let consumer = test.observe(Library.bookEntry(1))
    #expect(test.store.value(of: Library.bookEntry(1)) == consumer.shown)
    #expect(consumer.latest?.title == "Emma")
    #expect(test.stub.requests.count == 1)
  }

  @Test func `what is not fresh shows while it is loaded`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)), .book(1, "Emma II"))
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(61))
    let consumer = test.observe(Library.bookEntry(1))
    #expect(consumer.all.map(\.latest?.title) == ["Emma", "Emma II"])
    #expect(consumer.all.map(\.isLoading) == [true, false])
  }

  @Test func `two consumers at the same time load once`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", [.cacheControl: "no-store"]))
    let first = test.observe(Library.bookEntry(1))
    test.advance(by: .seconds(1))
    let second = test.observe(Library.bookEntry(1))
    #expect(test.stub.requests.count == 1)
    test.advance(by: .seconds(2))
    _ = test.observe(Library.bookEntry(1))
    #expect(test.stub.requests.count == 2)
    #expect(first.latest == second.latest)
  }

  @Test func `a 304 makes fresh without decoding`() {
    let decoded = Mutex(0)
    let entry = StoreEntry(Library.book(1), entities: .one(\.self)) { (book: Book) in
      decoded.withLock { $0 += 1 }
      return book
    }
    test.stub.stub(
      Library.book(1), with: .book(1, "Emma", .fresh(for: 5, tag: "a")),
      .status(.notModified, .fresh(for: 5, tag: "a")))
    test.observe(entry).stop()
    test.advance(by: .seconds(10))
    let consumer = test.observe(entry)
    #expect(consumer.shown.asOf == test.date.now)
    #expect(!consumer.shown.isLoading && consumer.latest?.title == "Emma")
    #expect(decoded.withLock { $0 } == 1)
    #expect(test.stub.requests.count == 2)
    test.advance(by: .seconds(4))
    _ = test.observe(entry)
    #expect(test.stub.requests.count == 2)
  }

  @Test func `without a cache it loads, and shows what it has`() {
    let test = TestStore(hasCache: false)
    test.stub.stub(Library.book(1), with: .book(1, "Emma"), .book(1, "Emma II"))
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(3))
    #expect(
      test.observe(Library.bookEntry(1)).all.map(\.latest?.title) == ["Emma", "Emma II"])
  }

  @Test func `an equal value is not shown again`() {
    let test = TestStore(hasCache: false)
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    let consumer = test.observe(Library.bookEntry(1))
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(test.stub.requests.count == 2)
    #expect(consumer.all.count == 2)
  }

  // MARK: Failures

  @Test func `a failure keeps the value; the next consumer loads again`() {
    let test = TestStore(hasCache: false)
    test.stub.stub(
      Library.book(1), with: .book(1, "Emma"), .status(.internalServerError), .book(1, "Emma II"))
    let consumer = test.observe(Library.bookEntry(1))
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(consumer.shown.failure != nil && consumer.latest?.title == "Emma")
    test.advance(by: .seconds(3))
    _ = test.observe(Library.bookEntry(1))
    #expect(consumer.shown.failure == nil && consumer.latest?.title == "Emma II")
  }

  @Test func `a request that can't be made fails`() {
    let entry = StoreEntry(Request<Book>.get("/books/\("")")) { $0 }
    let consumer = test.observe(entry)
    #expect(consumer.all.count == 1 && consumer.shown.failure?.error is Client.Error)
  }

  @Test func `while the server is out of reach, one entry tries for all`() {
    for id in 1...3 {
      test.stub.stub(
        Library.book(id), with: .failure(Client.TransportFailure(.unreachable, reason: "down")),
        .failure(Client.TransportFailure(.unreachable, reason: "down")), .book(id, "Book \(id)"))
    }
    let consumers = (1...3).map { test.observe(Library.bookEntry($0)) }
    #expect(consumers.allSatisfy { $0.shown.failure != nil })
    #expect(test.stub.requests.count == 3)
    test.advance(by: .seconds(5))
    #expect(test.stub.requests.count == 4)
    test.advance(by: .seconds(9))
    #expect(test.stub.requests.count == 4)
    test.advance(by: .seconds(1))
    #expect(test.stub.requests.count == 5)
    // The third entry fails again, and then the first loads: the server is reachable for all.
    test.advance(by: .seconds(20))
    test.advance(by: .seconds(40))
    #expect(consumers[0].latest?.title == "Book 1")
    #expect(consumers.allSatisfy { $0.latest != nil })
    let requests = test.stub.requests.count
    test.advance(by: .seconds(600))
    #expect(test.stub.requests.count == requests)
  }

  private static let down = StubResponse.failure(
    Client.TransportFailure(.unreachable, reason: "down"))

  @Test func `entries whose server was unreachable take turns`() {
    for id in 1...3 { test.stub.stub(Library.book(id), with: Self.down) }
    let consumers = (1...3).map { test.observe(Library.bookEntry($0)) }
    test.stub.stub(Library.book(3), with: .book(3, "Three"))
    for pause in [5, 10, 20] { test.advance(by: .seconds(pause)) }
    #expect(consumers.map(\.latest?.title) == [nil, nil, "Three"])
    let paths = test.stub.requests.map { $0.head.path ?? "" }
    #expect(paths.dropFirst(3).prefix(3) == ["/books/1", "/books/2", "/books/3"])
  }

  @Test func `a retry that hangs does not keep others from trying`() {
    for id in 1...2 { test.stub.stub(Library.book(id), with: Self.down) }
    let consumers = (1...2).map { test.observe(Library.bookEntry($0)) }
    let gate = test.stub.hold(Library.book(1))
    test.stub.stub(Library.book(2), with: .book(2, "Two"))
    test.advance(by: .seconds(5))
    #expect(gate.held.count == 1)
    test.advance(by: .seconds(10))
    #expect(consumers[1].latest?.title == "Two")
  }

  @Test func `a write's response shows that the server is reachable`() {
    test.stub.stub(Library.book(1), with: Self.down, .book(1, "Emma"))
    let consumer = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1))
    #expect(consumer.latest?.title == "Emma")
  }

  @Test func `an entry without consumers is not retried`() {
    test.stub.stub(
      Library.book(1), with: .failure(Client.TransportFailure(.unreachable, reason: "down")))
    let consumer = test.observe(Library.bookEntry(1))
    consumer.stop()
    test.settle()
    test.advance(by: .seconds(600))
    #expect(test.stub.requests.count == 1)
    #expect(test.clock.sleepers == 0)
  }

  @Test func `a server's refusal keeps nobody else from trying`() {
    test.stub.stub(Library.book(1), with: .status(.notFound))
    test.stub.stub(
      Library.book(2), with: .failure(Client.TransportFailure(.unreachable, reason: "down")),
      .book(2, "Two"))
    let consumers = [test.observe(Library.bookEntry(1)), test.observe(Library.bookEntry(2))]
    test.advance(by: .seconds(5))
    #expect(consumers[0].shown.failure != nil && consumers[1].latest?.title == "Two")
    test.advance(by: .seconds(600))
    #expect(test.stub.requests.count == 3)
  }

  @Test func `a response that may not be stored is not fresh`() {
    test.stub.stub(
      Library.book(1), with: .book(1, "Emma", .fresh(for: 3_600)),
      .book(1, "Emma II", [.cacheControl: "no-store"]), .book(1, "Emma III"))
    test.observe(Library.bookEntry(1)).stop()
    test.run { await test.store.invalidate(Library.book(1)) }
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(10))
    #expect(test.observe(Library.bookEntry(1)).latest?.title == "Emma III")
  }

  @Test func `what leads to a fresh response of another URL is loaded once`() {
    test.stub.stub(.get, "/moved", with: .status(.found, [.location: "/books/1"]))
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 3_600)))
    let moved = Request<Book>.get("/moved")
    let consumer = test.observe(StoreEntry(moved) { $0 })
    test.advance(by: .seconds(10))
    test.run { await test.store.invalidate(moved) }
    #expect(consumer.latest?.title == "Emma")
    #expect(test.stub.requests.count == 3)
  }

  // MARK: Programming errors

  @Test func `two transforms of one entry stop a debug build`() async {
    await #expect(processExitsWith: .failure) {
      let test = TestStore()
      test.stub.stub(Library.book(1), with: .book(1, "Emma"))
      _ = test.observe(Library.bookEntry(1))
      _ = test.observe(Self.anotherEntry(1))
    }
  }

  private static func anotherEntry(_ id: Int) -> StoreEntry<Book> {
    StoreEntry(Library.book(id)) { Book(id: $0.id, title: $0.title.uppercased()) }
  }

  @Test func `an entry of another method than GET and HEAD stops`() async {
    await #expect(processExitsWith: .failure) {
      let test = TestStore()
      _ = test.observe(StoreEntry(Request<Book>.put("/books/1")) { $0 })
    }
  }

  // MARK: Polling, prefetching, eviction

  @Test func `polling pauses without consumers`() {
    let entry = Library.bookEntry(1).polled(every: .seconds(10))
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    let consumer = test.observe(entry)
    test.advance(by: .seconds(10))
    test.advance(by: .seconds(10))
    #expect(test.stub.requests.count == 3)
    #expect(consumer.all.filter(\.isLoading).count == 1)
    consumer.stop()
    test.settle()
    test.advance(by: .seconds(100))
    #expect(test.stub.requests.count == 3)
    #expect(test.clock.sleepers == 0)
    _ = test.observe(entry)
    test.advance(by: .seconds(10))
    #expect(test.stub.requests.count == 5)
  }

  @Test func `what is fetched in advance shows at once`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)))
    test.run { test.store.prefetch(Library.bookEntry(1)) }
    test.run { test.store.prefetch(Library.bookEntry(1)) }
    #expect(test.stub.requests.count == 1)
    #expect(test.observe(Library.bookEntry(1)).all.map(\.latest?.title) == ["Emma"])
  }

  @Test func `load returns the value, and its failure is thrown`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)))
    test.stub.stub(Library.book(2), with: .status(.notFound))
    let store = test.store
    let loaded = test.run { try? await store.load(Library.bookEntry(1))?.title }
    #expect(loaded.value == "Emma")
    test.advance(by: .seconds(10))
    #expect(test.run { try? await store.load(Library.bookEntry(1))?.title }.value == "Emma")
    #expect(test.stub.requests.count == 1, "fresh")
    let reloaded = test.run {
      await Reload.$isRequested.withValue(true) { try? await store.load(Library.bookEntry(1)) }
    }
    #expect(reloaded.value??.title == "Emma" && test.stub.requests.count == 2)
    let status = test.run { () -> Int? in
      do {
        try await store.load(Library.bookEntry(2))
        return 200
      } catch {
        return (error as? Client.Error)?.status?.code
      }
    }
    #expect(status.value == .some(404))
  }

  @Test func `memory warning drops unused entries and cached responses`() {
    for id in 1...2 {
      test.stub.stub(Library.book(id), with: .book(id, "Book \(id)", .fresh(for: 600)))
    }
    test.observe(Library.bookEntry(1)).stop()
    test.settle()
    let consumer = test.observe(Library.bookEntry(2))
    #expect(test.store.entity(Book.self, 1) != nil)
    let store = test.store
    test.run { await store.freeMemory() }
    #expect(
      test.store.entity(Book.self, 1) == nil && test.store.value(of: Library.bookEntry(1)) == nil)
    #expect(test.store.entity(Book.self, 2) != nil && consumer.latest != nil)
    // Nothing is left in the client's cache.
    _ = test.observe(Library.bookEntry(1))
    #expect(test.stub.requests.count == 3)
  }

  @Test func `entries without consumers are dropped after 5 minutes`() {
    let test = TestStore(hasCache: false)
    for id in 1...2 { test.stub.stub(Library.book(id), with: .book(id, "Book \(id)")) }
    test.observe(Library.bookEntry(1)).stop()
    let consumer = test.observe(Library.bookEntry(2))
    test.advance(by: .seconds(299))
    _ = test.observe(Library.bookEntry(2))
    #expect(test.store.entity(Book.self, 1) != nil)
    test.advance(by: .seconds(1))
    _ = test.observe(Library.bookEntry(2))
    #expect(test.store.entity(Book.self, 1) == nil)
    #expect(test.store.entity(Book.self, 2) != nil && consumer.latest != nil)
  }

  @Test func `above a size, the least recently used entries are dropped`() {
    var limits = Store.Limits()
    limits.unusedSize = 5_000
    let test = TestStore(limits: limits, hasCache: false)
    for id in 1...9 {
      test.stub.stub(Library.book(id), with: .book(id, String(repeating: "x", count: 500)))
    }
    let kept = test.observe(Library.bookEntry(1))
    for id in 2...9 { test.observe(Library.bookEntry(id)).stop() }
    test.settle()
    _ = test.observe(Library.bookEntry(1))
    #expect((1...9).filter { test.store.entity(Book.self, $0) != nil } == [1, 7, 8, 9])
    #expect(kept.latest != nil)
  }

  // MARK: Invalidation

  @Test func `an invalidated entry is loaded again for its consumers`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)), .book(1, "Emma II"))
    test.stub.stub(Library.rows, with: .books([1: "Emma"], .fresh(for: 60)))
    let consumer = test.observe(Library.bookEntry(1))
    test.observe(Library.rowsEntry()).stop()
    test.settle()
    test.run { await test.store.invalidate(Library.book(1)) }
    test.run { await test.store.invalidate(tag: "lists") }
    #expect(consumer.latest?.title == "Emma II")
    #expect(consumer.all.filter(\.isLoading).count == 1)
    #expect(test.stub.requests.count == 3)
    // The cache's copy is stale, too.
    _ = test.observe(Library.rowsEntry(), in: Store(test.client))
    #expect(test.stub.requests.count == 4)
  }

  @Test func `an invalidation reaches what is below a path`() {
    test.stub.stub(Library.books(), with: .books([1: "Emma"], .fresh(for: 60)))
    test.stub.stub(Library.books(.number(2)), with: .books([2: "Persuasion"], .fresh(for: 60)))
    test.stub.stub(Library.rows, with: .books([1: "Emma"], .fresh(for: 60)))
    let consumers = [test.observe(Library.page()), test.observe(Library.page(.number(2)))]
    _ = test.observe(Library.rowsEntry())
    test.run { await test.store.invalidate(Library.books(), andBelow: true) }
    #expect(test.stub.requests.count == 5)
    #expect(consumers.count == 2)
  }

  @Test func `an invalidation during a transfer is followed by another one`() {
    let gate = test.stub.hold(Library.book(1))
    let consumer = test.observe(Library.bookEntry(1))
    test.run { await test.store.invalidate(Library.book(1)) }
    test.respond(to: gate, with: .book(1, "Emma", .fresh(for: 60)))
    #expect(gate.held.count == 1)
    test.respond(to: gate, with: .book(1, "Emma II", .fresh(for: 60)))
    #expect(consumer.latest?.title == "Emma II" && !consumer.shown.isLoading)
  }

  @Test func `a tag reaches the cache's copies of dropped entries`() {
    test.stub.stub(Library.rows, with: .books([1: "Emma"], .fresh(for: 3_600)))
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.observe(Library.rowsEntry()).stop()
    test.advance(by: .seconds(301))
    _ = test.observe(Library.bookEntry(1))
    test.run { await test.store.invalidate(tag: "lists") }
    _ = test.observe(Library.rowsEntry())
    #expect(test.stub.requests.count == 3)
  }
}
