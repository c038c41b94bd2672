import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CurlewStore

/// Actions whose requests or edits meet rare answers, other accounts and limits.
@Suite(.timeLimit(.minutes(1)))
struct OutboxEdgeTests {
  private let outbox = Outbox.memory(actions: allActions)
  private let test: TestStore

  init() { test = TestStore(outbox) }

  private var keys: [String] {
    let name = HTTPField.Name("Idempotency-Key")!
    return test.stub.requests.compactMap { $0.head.headerFields[name] }
  }

  // MARK: Responses

  @Test(arguments: ["Emma", "Sanditon"])
  func `an action on a newer value has another key`(title: String) {
    test.stub.stub(Library.book(1), with: .book(1, title, isStarred: true))
    test.stub.stub(.put, "/titles/1", with: .status(.conflict), .status(.noContent))
    test.perform(Retitle(base: Book(id: 1, title: "Emma"), title: "Persuasion", isKeyed: true))
    if title == "Sanditon" { test.decide(.send) }
    #expect(test.states == [])
    #expect(keys.count == 2 && Set(keys).count == 2)
  }

  @Test func `a key that the server still processes is sent again`() {
    test.stub.stub(.post, "/books", with: .lost, .status(.conflict), .book(7, "Sanditon"))
    test.perform(AddBook(title: "Sanditon"))
    test.sendActions()
    #expect(test.states.first?.isWaiting == true)
    test.sendActions()
    #expect(test.states == [])
    #expect(keys.count == 3 && Set(keys).count == 1)
  }

  @Test(arguments: [HTTPResponse.Status.found, .serviceUnavailable])
  func `a gateway may have performed an action`(status: HTTPResponse.Status) {
    let response = Sample(status: status, headerFields: [.location: "http://example.com/"])
    test.stub.stub(.post, "/titles/1", with: .sample(response))
    test.perform(WriteTitle(id: 1, title: "Persuasion"))
    #expect(test.states == [.unknown])
  }

  @Test func `a refusal that tells of newer data loads it`() {
    test.stub.stub(.delete, "/books/1", with: .status(.gone))
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.book(1), with: .book(1, "Sanditon"))
    test.perform(RemoveBook())
    #expect(book.latest?.title == "Sanditon")
  }

  @Test func `an accepted response that can not be read is the last`() {
    test.stub.stub(.post, "/books", with: .json("{}"))
    test.perform(AddBook(title: "Sanditon"))
    #expect(test.states == [])
    #expect(test.sent.count == 1)
  }

  @Test func `an unknown action is checked when its user wants that`() {
    test.stub.stub(Library.book(1), with: .book(1, "Other"))
    test.stub.stub(.post, "/titles/1", with: .lost, .status(.noContent))
    test.perform(WriteTitle(id: 1, title: "Persuasion", isChecked: true))
    #expect(test.states == [.unknown])
    let gate = test.stub.hold(Library.book(1))
    test.sendActions()
    // The check may still find the effect.
    test.decide(.send)
    #expect(test.states == [.unknown] && test.sent.count == 1)
    gate.respond(with: .book(1, "Persuasion"))
    test.settle()
    #expect(test.states == [] && test.sent.count == 1)
  }

  @Test func `eight requests are sent at a time`() {
    let gate = test.stub.hold(.put, "/stars/*")
    for id in 1...10 { test.perform(StarBook(id: id)) }
    #expect(gate.held.count == 8)
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(gate.held.count == 8)
  }

  // MARK: Combined actions

  @Test func `an action is not combined with one that others follow`() {
    test.stub.stub(Library.star(1), with: .unreachable)
    test.stub.stub(Library.star(2), with: .unreachable)
    test.stub.stub(.post, "/books", with: .unreachable)
    let star = try? test.perform(ToggleStar(id: 1, isOn: true)).get()
    let add = try? test.perform(AddBook(title: "Sanditon"), after: star).get()
    test.perform(ToggleStar(id: 1, isOn: false))
    test.perform(ToggleStar(id: 2, isOn: true))
    test.perform(ToggleStar(id: 2, isOn: false), after: add)
    #expect(test.store.outbox.value.count == 5)
  }

  @Test func `a star that the server has failed to set is removed`() {
    test.stub.stub(Library.star(1), with: .status(.serviceUnavailable))
    test.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    test.perform(ToggleStar(id: 1, isOn: true))
    test.perform(ToggleStar(id: 1, isOn: false))
    test.sendActions()
    #expect(test.sent == ["PUT /stars/1", "DELETE /stars/1"])
  }

  // MARK: Accounts

  private func accounts() -> (TestStore, @Sendable (String) -> Void) {
    let account = Mutex<String>.Box("a")
    let test = TestStore(outbox: outbox, account: { account.value })
    return (test, { account.value = $0 })
  }

  @Test func `an action of another account is neither combined nor sent`() {
    let (test, become) = accounts()
    test.stub.stub(Library.star(1), with: .unreachable, .status(.noContent))
    test.stub.stub(.delete, "/stars/1", with: .status(.noContent))
    test.perform(ToggleStar(id: 1, isOn: true))
    become("b")
    test.perform(ToggleStar(id: 1, isOn: false))
    test.advance(by: .seconds(5))
    #expect(test.store.outbox.value.map(\.account) == ["a", "b"])
    #expect(test.sent == ["PUT /stars/1"])
    become("a")
    test.sendActions()
    #expect(test.sent == ["PUT /stars/1", "PUT /stars/1"])
  }

  @Test func `temporary ids are of their accounts`() {
    let (test, become) = accounts()
    test.stub.stub(.post, "/books", with: .book(7, "Sanditon"))
    test.stub.stub(Library.star(-1), with: .status(.noContent))
    test.perform(AddBook(title: "Sanditon"))
    become("b")
    test.perform(ToggleStar(id: -1, isOn: true))
    #expect(test.sent == ["POST /books", "PUT /stars/-1"])
  }

  @Test func `drafts of another account do not show`() {
    let (test, become) = accounts()
    test.stub.stub(Library.books(), with: .books([1: "Emma"]))
    test.stub.stub(.post, "/books", with: .unreachable)
    test.perform(AddBook(title: "Sanditon"))
    test.run { [client = test.client] in await client.signOut() }
    become("b")
    let list = test.observe(Library.page())
    test.sendActions()
    #expect(list.latest?.items.map(\.id) == [1])
  }

  @Test func `a request that outlives a sign-out is not replaced`() {
    let (test, _) = accounts()
    let gate = test.stub.hold(Library.star(1))
    let id = try? test.perform(StarBook(id: 1)).get()
    test.run { [client = test.client] in await client.signOut() }
    test.sendActions()
    guard case .started? = test.perform(StarBook(id: 1), replacing: id).failure else {
      Issue.record("\(test.states)")
      return
    }
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(test.states == [] && test.sent.count == 1)
  }

  // MARK: Received ids

  @Test func `a hundred received ids are kept, and those that actions need`() throws {
    test.stub.stub(Library.star(100), with: .unreachable)
    let gate = test.stub.hold(.post, "/books")
    test.perform(AddBook(title: "0"))
    test.perform(ToggleStar(id: -1, isOn: true))
    for number in 1...102 { test.perform(AddBook(title: "\(number)")) }
    for number in 0...102 {
      gate.respond(with: .book(100 + number, "\(number)"))
      test.settle()
    }
    #expect(try outbox.storage.all().count == 102)
    let next = TestStore(outbox)
    next.stub.stub(Library.star(100), with: .status(.noContent))
    next.settle()
    #expect(next.sent == ["PUT /stars/100"])
  }
}
