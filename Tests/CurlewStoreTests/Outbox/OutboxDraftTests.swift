import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@testable import CurlewStore

/// Actions on what earlier actions create, and actions that are combined while they wait.
@Suite(.timeLimit(.minutes(1)))
struct OutboxDraftTests {
  private let outbox = Outbox.memory(actions: allActions)
  private let test: TestStore

  init() { test = TestStore(outbox) }

  // MARK: Temporary ids

  @Test func `an action on a book that is created later gets its id`() {
    let list = test.observe(Library.page())
    let add = test.stub.hold(.post, "/books")
    let star = test.stub.hold(Library.star(7))
    test.perform(AddBook(title: "Sanditon"))
    test.perform(ToggleStar(id: -1, isOn: true))
    #expect(test.states == [.sending, .waiting(nil)])
    #expect(list.latest?.items.map(\.isStarred) == [true, false])
    add.respond(with: .book(7, "Sanditon"))
    test.settle()
    #expect(test.states == [.sending])
    #expect(test.store.outbox.value.first?.action?.queue == "star 7")
    #expect(list.latest?.items.map(\.id) == [7, 1])
    #expect(list.latest?.items.map(\.isStarred) == [true, false])
    star.respond(with: .status(.noContent))
    test.settle()
    #expect(test.states == [])
  }

  @Test func `another process knows the ids that were received`() {
    test.stub.stub(.post, "/books", with: .book(7, "Sanditon"))
    test.stub.stub(Library.star(7), with: .unreachable)
    test.stub.stub(.delete, "/stars/7", with: .unreachable)
    let other = TestStore(outbox)
    test.perform(AddBook(title: "Sanditon"))
    test.perform(ToggleStar(id: -1, isOn: true))
    #expect(test.sent.last == "PUT /stars/7")
    // A screen may still show the temporary id.
    other.stub.stub(Library.star(7), with: .status(.noContent))
    other.stub.stub(.delete, "/stars/7", with: .status(.noContent))
    other.sendActions()
    other.perform(ToggleStar(id: -1, isOn: false))
    #expect(other.sent == ["PUT /stars/7", "DELETE /stars/7"])
    #expect(other.states == [])
  }

  @Test func `an action after a refused one waits for its user`() throws {
    test.stub.stub(.post, "/books", with: .status(.forbidden), .book(7, "Sanditon"))
    test.stub.stub(Library.star(7), with: .status(.noContent))
    let list = test.observe(Library.page())
    let add = try test.perform(AddBook(title: "Sanditon")).get()
    test.perform(ToggleStar(id: -1, isOn: true))
    test.perform(ToggleStar(id: 1, isOn: true), after: add)
    #expect(test.states.dropFirst() == [.waiting(nil), .waiting(nil)])
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.stub.stub(
      .get, "/books", with: .books([1: "Emma", 7: "Sanditon"]))
    test.decide(.send, for: add)
    #expect(test.states == [])
    #expect(test.sent == ["POST /books", "POST /books", "PUT /stars/7", "PUT /stars/1"])
    #expect(list.latest?.items.first?.isStarred == true)
    // No edit is left above newer values.
    test.run { [store = test.store] in await store.invalidate(Library.books()) }
    #expect(list.latest?.items.map(\.isStarred) == [false, false])
  }

  @Test func `what comes after a dropped action is dropped`() throws {
    test.stub.stub(.post, "/books", with: .unreachable)
    let list = test.observe(Library.page())
    let add = try test.perform(AddBook(title: "Sanditon")).get()
    test.perform(ToggleStar(id: -1, isOn: true))
    test.perform(WriteTitle(id: 1, title: "Persuasion"), after: add)
    test.decide(.drop, for: add)
    #expect(test.states == [])
    #expect(list.latest?.items.map(\.title) == ["Emma"])
    #expect(try outbox.storage.all() == [])
    test.advance(by: .seconds(60))
    #expect(test.sent == ["POST /books"])
  }

  @Test func `a sign-out forgets the ids that were received`() throws {
    test.stub.stub(.post, "/books", with: .book(7, "Sanditon"))
    test.perform(AddBook(title: "Sanditon"))
    #expect(try outbox.storage.all().count == 1)
    test.run { [client = test.client] in await client.signOut() }
    #expect(try outbox.storage.all() == [])
    test.stub.stub(Library.star(-1), with: .status(.noContent))
    test.perform(ToggleStar(id: -1, isOn: true))
    #expect(test.sent.last == "PUT /stars/-1")
  }

  // MARK: Combined actions

  @Test func `a star and its removal are nothing`() throws {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: .unreachable)
    test.perform(ToggleStar(id: 1, isOn: true))
    #expect(book.latest?.isStarred == true)
    test.perform(ToggleStar(id: 1, isOn: false))
    #expect(book.latest?.isStarred == false)
    #expect(test.states == [])
    #expect(try outbox.storage.all() == [])
    test.advance(by: .seconds(60))
    #expect(test.sent == ["PUT /stars/1"])
  }

  @Test(arguments: [true, false])
  func `a star that the server may know is removed`(isLost: Bool) throws {
    test.stub.stub(
      Library.star(1),
      with: isLost ? .failure(Client.TransportFailure(.lost, reason: "lost")) : .unreachable)
    let id = try test.perform(ToggleStar(id: 1, isOn: true)).get()
    // A new process does not know whether the request has left.
    let next = isLost ? test : TestStore(outbox)
    next.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    if !isLost { next.stub.stub(Library.star(1), with: .unreachable) }
    next.settle()
    #expect(try next.perform(ToggleStar(id: 1, isOn: false)).get() == id)
    next.sendActions()
    #expect(next.sent.last == "DELETE /stars/1")
    #expect(next.states == [])
    #expect(try outbox.storage.all() == [])
  }

  @Test func `an action that is being sent is not combined with another`() {
    let gate = test.stub.hold(Library.star(1))
    test.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    test.perform(ToggleStar(id: 1, isOn: true))
    test.perform(ToggleStar(id: 1, isOn: false))
    #expect(test.states == [.sending, .waiting(nil)])
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(test.sent == ["PUT /stars/1", "DELETE /stars/1"])
  }
}
