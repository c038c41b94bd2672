import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Synchronization
import Testing

@testable import CurlewStore

/// What a process does when others change the outbox, or the disk is full.
@Suite(.timeLimit(.minutes(1)))
struct OutboxProcessTests {
  private let shared = StoryStorage()
  private let test: TestStore
  private let other: TestStore

  init() {
    test = TestStore(Outbox(StoryStorage.Process(shared: shared, number: 1), actions: allActions))
    other = TestStore(Outbox(StoryStorage.Process(shared: shared, number: 2), actions: allActions))
  }

  private var records: [OutboxRecord] { (try? shared.base.all()) ?? [] }

  private func setFull(_ isFull: Bool) { shared.state.withLock { $0.isFull = isFull } }

  // MARK: A full disk

  @Test func `a performed action is removed when the disk has space`() {
    let gate = test.stub.hold(Library.star(1))
    test.perform(StarBook(id: 1))
    setFull(true)
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(test.states == [] && records.count == 1)
    // What another process adds is read meanwhile.
    setFull(false)
    other.stub.stub(Library.star(1), with: .unreachable)
    other.stub.stub(Library.star(2), with: .unreachable)
    other.perform(StarBook(id: 2))
    test.stub.stub(Library.star(2), with: .status(.noContent))
    test.sendActions()
    #expect(test.states == [] && records.isEmpty)
    #expect(test.sent == ["PUT /stars/1", "PUT /stars/2"])
  }

  @Test func `received ids are known although the disk is full`() {
    let gate = test.stub.hold(.post, "/books")
    test.perform(AddBook(title: "Sanditon"))
    setFull(true)
    gate.respond(with: .book(7, "Sanditon"))
    test.settle()
    setFull(false)
    other.stub.stub(.post, "/books", with: .unreachable)
    other.stub.stub(Library.star(2), with: .unreachable)
    other.perform(StarBook(id: 2))
    test.stub.stub(Library.star(2), with: .status(.noContent))
    test.stub.stub(Library.star(7), with: .status(.noContent))
    test.perform(ToggleStar(id: -1, isOn: true))
    #expect(test.sent.last == "PUT /stars/7")
  }

  // MARK: Two processes

  @Test func `an action that another process has brought into conflict is not sent`() {
    // The write keeps this process from sending the edit.
    let gate = test.stub.hold(Library.star(1))
    test.perform(Library.star(1), queue: "title 1")
    test.perform(Retitle(base: Book(id: 1, title: "Emma"), title: "Persuasion"))
    other.stub.stub(Library.book(1), with: .book(1, "Sanditon"))
    other.stub.stub(.put, "/titles/1", with: .status(.conflict))
    other.sendActions()
    #expect(other.states == [.conflict])
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(test.states == [.conflict])
    #expect(test.sent == ["PUT /stars/1"])
  }

  @Test func `an action that another process has moved is sent in its new place`() {
    let gate = test.stub.hold(.delete, "/stars/1")
    test.perform(Request<Void>.delete("/stars/1"), queue: "star 1")
    let id = try? test.perform(StarBook(id: 1)).get()
    other.stub.stub(Library.star(1), with: .status(.forbidden), .unreachable)
    other.sendActions()
    other.perform(StarBook(id: 1, isOn: false))
    other.decide(.send, for: id)
    #expect(other.store.outbox.value.map(\.id).last == id)
    let star = test.stub.hold(Library.star(1))
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(test.states == [.sending, .waiting(nil)])
    #expect(test.store.outbox.value.map(\.id).last == id)
    #expect(star.held.count == 1)
  }

  @Test func `a refusal of another process loads newer data`() {
    let book = test.observe(Library.bookEntry(1))
    _ = test.stub.hold(Library.star(1))
    test.perform(Library.star(1), queue: "book")
    test.perform(RemoveBook())
    other.stub.stub(.delete, "/books/1", with: .status(.forbidden))
    other.sendActions()
    test.stub.stub(Library.book(1), with: .book(1, "Sanditon"))
    test.sendActions()
    #expect(test.states.first?.isRefused == true)
    #expect(book.latest?.title == "Sanditon")
  }

  @Test func `a star that another process may have set is removed`() {
    test.stub.stub(Library.star(1), with: .unreachable)
    test.perform(ToggleStar(id: 1, isOn: true))
    other.stub.stub(Library.star(1), with: .lost)
    other.sendActions()
    test.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    test.perform(ToggleStar(id: 1, isOn: false))
    test.sendActions()
    #expect(test.sent.last == "DELETE /stars/1")
    #expect(test.states == [] && records.isEmpty)
  }

  // MARK: Other writes

  @Test func `a dropped action keeps its place in the queue for no other write`() {
    let gate = test.stub.hold(Library.star(1))
    test.perform(StarBook(id: 1))
    test.perform(Library.star(1), queue: "star 1")
    let id = try? test.perform(StarBook(id: 1, isOn: false)).get()
    test.decide(.drop, for: id)
    #expect(gate.held.count == 1)
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(gate.held.count == 1)
  }
}
