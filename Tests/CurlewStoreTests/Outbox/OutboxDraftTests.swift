import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// Actions on what earlier actions create, and actions that are combined while they wait.
@Suite(.timeLimit(.minutes(1)))
struct OutboxDraftTests {
  private let outbox = Outbox.memory(actions: allActions)
  private let test: TestStore

  init() { test = Self.store(outbox) }

  private static func store(_ outbox: Outbox) -> TestStore {
    let test = TestStore(hasCache: false, outbox: outbox)
    test.stub.stub(Library.books(), with: .books([1: "Emma"]))
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    return test
  }

  private static let offline = StubResponse.failure(
    Client.TransportFailure(.unreachable, reason: "a tunnel"))

  @discardableResult
  private func perform(
    _ action: some StoreAction, after: UUID? = nil, in test: TestStore? = nil
  ) -> UUID {
    let store = (test ?? self.test).store
    return (test ?? self.test).run { try! store.perform(action, after: after) }.value!
  }

  private func decide(_ outcome: ActionOutcome, for id: UUID) {
    test.run { [store = test.store] in try? store.decide(outcome, for: id) }
  }

  private func states(_ test: TestStore? = nil) -> [OutboxItem.State] {
    (test ?? self.test).store.outbox.value.map(\.state)
  }

  private func sent(_ test: TestStore? = nil) -> [String] {
    (test ?? self.test).stub.requests.filter { $0.head.method != .get }.map {
      "\($0.head.method) \($0.head.path?.split(separator: "?").first ?? "")"
    }
  }

  // MARK: Temporary ids

  @Test func `an action on a book that is created later gets its id`() {
    let list = test.observe(Library.page())
    let add = test.stub.hold(.post, "/books")
    let star = test.stub.hold(Library.star(7))
    perform(AddBook(title: "Sanditon"))
    perform(ToggleStar(id: -1, isOn: true))
    #expect(states() == [.sending, .waiting(nil)])
    #expect(list.latest?.items.map(\.isStarred) == [true, false])
    add.respond(with: .book(7, "Sanditon"))
    test.settle()
    #expect(states() == [.sending])
    #expect(test.store.outbox.value.first?.queue == "star 7")
    #expect(list.latest?.items.map(\.id) == [7, 1])
    #expect(list.latest?.items.map(\.isStarred) == [true, false])
    star.respond(with: .status(.noContent))
    test.settle()
    #expect(states() == [])
  }

  @Test func `another process knows the ids that were received`() {
    test.stub.stub(.post, "/books", with: .book(7, "Sanditon"))
    test.stub.stub(Library.star(7), with: Self.offline)
    test.stub.stub(.delete, "/stars/7", with: Self.offline)
    let other = Self.store(outbox)
    perform(AddBook(title: "Sanditon"))
    perform(ToggleStar(id: -1, isOn: true))
    #expect(sent().last == "PUT /stars/7")
    // A screen may still show the temporary id.
    other.stub.stub(Library.star(7), with: .status(.noContent))
    other.stub.stub(.delete, "/stars/7", with: .status(.noContent))
    other.run { other.store.sendActions() }
    perform(ToggleStar(id: -1, isOn: false), in: other)
    #expect(sent(other) == ["PUT /stars/7", "DELETE /stars/7"])
    #expect(states(other) == [])
  }

  @Test func `what comes after a refused action waits for its user`() {
    test.stub.stub(.post, "/books", with: .status(.forbidden), .book(7, "Sanditon"))
    test.stub.stub(Library.star(7), with: .status(.noContent))
    let list = test.observe(Library.page())
    let add = perform(AddBook(title: "Sanditon"))
    perform(ToggleStar(id: -1, isOn: true))
    perform(ToggleStar(id: 1, isOn: true), after: add)
    #expect(states().dropFirst() == [.waiting(nil), .waiting(nil)])
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.stub.stub(
      .get, "/books", with: .books([1: "Emma", 7: "Sanditon"]))
    decide(.send, for: add)
    #expect(states() == [])
    #expect(sent() == ["POST /books", "POST /books", "PUT /stars/7", "PUT /stars/1"])
    #expect(list.latest?.items.first?.isStarred == true)
  }

  @Test func `what comes after a dropped action is dropped`() throws {
    test.stub.stub(.post, "/books", with: Self.offline)
    let list = test.observe(Library.page())
    let add = perform(AddBook(title: "Sanditon"))
    perform(ToggleStar(id: -1, isOn: true))
    perform(WriteTitle(id: 1, title: "Persuasion"), after: add)
    decide(.drop, for: add)
    #expect(states() == [])
    #expect(list.latest?.items.map(\.title) == ["Emma"])
    #expect(try outbox.storage.all() == [])
    test.advance(by: .seconds(60))
    #expect(sent() == ["POST /books"])
  }

  @Test func `a sign-out forgets the ids that were received`() throws {
    test.stub.stub(.post, "/books", with: .book(7, "Sanditon"))
    perform(AddBook(title: "Sanditon"))
    #expect(try outbox.storage.all().count == 1)
    test.run { [client = test.client] in await client.signOut() }
    #expect(try outbox.storage.all() == [])
  }

  // MARK: Combined actions

  @Test func `a star and its removal are nothing`() throws {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: Self.offline)
    perform(ToggleStar(id: 1, isOn: true))
    #expect(book.latest?.isStarred == true)
    perform(ToggleStar(id: 1, isOn: false))
    #expect(book.latest?.isStarred == false)
    #expect(states() == [])
    #expect(try outbox.storage.all() == [])
    test.advance(by: .seconds(60))
    #expect(sent() == ["PUT /stars/1"])
  }

  @Test(arguments: [true, false])
  func `a star that the server may know is removed`(isLost: Bool) throws {
    test.stub.stub(
      Library.star(1),
      with: isLost ? .failure(Client.TransportFailure(.lost, reason: "lost")) : Self.offline)
    let id = perform(ToggleStar(id: 1, isOn: true))
    // A new process does not know whether the request has left.
    let next = isLost ? test : Self.store(outbox)
    next.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    if !isLost { next.stub.stub(Library.star(1), with: Self.offline) }
    next.settle()
    #expect(perform(ToggleStar(id: 1, isOn: false), in: next) == id)
    next.run { next.store.sendActions() }
    #expect(sent(next).last == "DELETE /stars/1")
    #expect(states(next) == [])
    #expect(try outbox.storage.all() == [])
  }

  @Test func `an action that is being sent is not combined with another`() {
    let gate = test.stub.hold(Library.star(1))
    test.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    perform(ToggleStar(id: 1, isOn: true))
    perform(ToggleStar(id: 1, isOn: false))
    #expect(states() == [.sending, .waiting(nil)])
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(sent() == ["PUT /stars/1", "DELETE /stars/1"])
  }
}
