import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlewStore

/// Actions: stored before they show, sent later, also by another process.
@Suite(.timeLimit(.minutes(1)))
struct OutboxTests {
  private let outbox = Outbox.memory(actions: allActions)
  private let test: TestStore

  init() { test = TestStore(outbox) }

  private func stub(_ test: TestStore) {
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.books(), with: .books([1: "Emma"]))
  }

  /// A store as after a restart, with the actions of the first.
  private func restarted(
    _ actions: [any StoreAction.Type] = allActions, configure: (TestStore) -> Void = { _ in }
  ) -> TestStore {
    let next = TestStore(Outbox(outbox.storage, actions: actions))
    configure(next)
    next.settle()
    return next
  }

  @Test func `an action shows at once, and is gone when it was performed`() throws {
    let book = test.observe(Library.bookEntry(1))
    let gate = test.stub.hold(Library.star(1))
    test.perform(StarBook(id: 1))
    #expect(book.latest?.isStarred == true)
    #expect(test.states == [.sending])
    #expect(try outbox.storage.all().count == 1)
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(book.latest?.isStarred == true)
    #expect(test.states == [])
    #expect(try outbox.storage.all() == [])
  }

  @Test(
    arguments: [
      (POSIXErrorCode.ENOSPC, UserTexts.current.fileNoSpace),
      (.EROFS, UserTexts.current.fileNotPermitted), (.EIO, UserTexts.current.fileFailed),
    ])
  func `an action that can not be stored changes nothing`(code: POSIXErrorCode, text: String) {
    struct FullStorage: OutboxStorage {
      let code: POSIXErrorCode
      func all() -> [OutboxRecord] { [] }
      func apply(_ changes: [OutboxChange]) throws { throw POSIXError(code) }
      func acquireLease() -> Bool { true }
      func releaseLease() {}
    }
    let test = TestStore(outbox: Outbox(FullStorage(code: code), actions: allActions))
    stub(test)
    let book = test.observe(Library.bookEntry(1))
    #expect(test.perform(StarBook(id: 1)).failure?.errorDescription == text)
    #expect(book.all.compactMap(\.latest?.isStarred) == [false])
    #expect(test.store.outbox.value == [])
    #expect(!test.stub.requests.contains { $0.head.method == .put })
  }

  @Test(arguments: [(1, 16 << 20), (1_000, 600)])
  func `a full outbox refuses more actions`(actions: Int, size: Int) {
    var limits = Store.Limits()
    (limits.actions, limits.actionsSize) = (actions, size)
    let test = TestStore(limits: limits, outbox: .memory(actions: allActions))
    _ = test.stub.hold(Library.star(1))
    test.perform(StarBook(id: 1))
    let errors = (0..<4).compactMap { _ in test.perform(StarBook(id: 1)).failure }
    #expect(errors.first?.errorDescription == UserTexts.current.tooManyUnsent)
    let items = test.store.outbox.value
    #expect(items.count + errors.count == 5 && items.count <= actions)
  }

  @Test func `performing takes time in proportion to the actions`() {
    let times = [100, 800].map { count in
      let test = TestStore(Outbox.memory(actions: allActions))
      _ = test.stub.hold(.put, "/stars/*")
      return processorTime {
        test.run { [store = test.store] in
          for id in 1...count { _ = try? store.perform(StarBook(id: id)) }
        }
      }
    }
    #expect(times[1] < times[0] * 32, "\(times)")
  }

  @Test func `an action that waits for too long is refused, and sent if its user wants that`()
    throws
  {
    let test = TestStore(outbox: .memory(actions: allActions))
    stub(test)
    test.stub.stub(Library.star(1), with: .refused, .status(.noContent))
    let id = try test.perform(StarBook(id: 1)).get()
    test.date.advance(by: 31 * 86_400)
    test.advance(by: .seconds(5))
    #expect(test.states == [.refused(LoadFailure(message: UserTexts.current.unsentForTooLong))])
    #expect(test.stub.requests.filter { $0.head.method == .put }.count == 1)
    test.decide(.send, for: id)
    #expect(test.states == [])
  }

  @Test func `another process shows and sends what was stored`() {
    _ = test.stub.hold(.post, "/books")
    test.perform(AddBook(title: "Sanditon"))
    let key = test.stub.requests.last?.head.headerFields[HTTPField.Name("Idempotency-Key")!]
    let next = TestStore(outbox)
    let gate = next.stub.hold(.post, "/books")
    next.settle()
    let list = next.observe(Library.page())
    #expect(list.latest?.items.map(\.id) == [-1, 1])
    #expect(gate.held.first?.head.headerFields[HTTPField.Name("Idempotency-Key")!] == key)
    #expect(key == "\"\(next.store.outbox.value[0].id)\"")
    gate.respond(with: .book(7, "Sanditon"))
    next.settle()
    #expect(list.latest?.items.map(\.id) == [7, 1])
    #expect(next.states == [])
  }

  @Test func `actions of a queue are sent in order, other queues beside them`() {
    let gates = (1...2).map { test.stub.hold(Library.star($0)) }
    test.perform(StarBook(id: 1))
    test.perform(StarBook(id: 1, isOn: false))
    let write = test.perform(Library.star(1), queue: "star 1")
    test.perform(StarBook(id: 1))
    test.perform(StarBook(id: 2))
    #expect(gates.map(\.held.count) == [1, 1])
    for left in [3, 2] {
      gates[0].respond(with: .status(.noContent))
      test.settle()
      #expect(gates[0].held.count == 1)
      #expect(test.store.outbox.value.count == left)
    }
    // The write was begun before the third action.
    #expect(write.value == nil)
    gates[0].respond(with: .status(.noContent))
    test.settle()
    #expect(write.value == "done")
    #expect(gates[0].held.count == 1)
  }

  @Test func `an unreachable server is tried again, later and when it responds`() {
    test.stub.stub(Library.star(1), with: .refused, .refused, .status(.noContent))
    test.stub.stub(Library.star(2), with: .refused, .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    test.perform(StarBook(id: 1))
    #expect(test.states.first?.isWaiting == true)
    test.advance(by: .seconds(5))
    #expect(test.states.first?.isWaiting == true && book.latest?.isStarred == true)
    test.advance(by: .seconds(9))
    #expect(test.states.first?.isWaiting == true)
    test.perform(StarBook(id: 2))
    #expect(test.store.outbox.value.count == 2)
    // Any response shows that the server is reachable.
    test.observe(Library.bookEntry(1)).stop()
    test.run { await test.store.invalidate(Library.book(1)) }
    #expect(test.states == [])
  }

  @Test func `a failed action is sent now if its user wants that`() {
    test.stub.stub(Library.star(1), with: .status(.serviceUnavailable), .status(.noContent))
    test.perform(StarBook(id: 1))
    #expect(test.states.first?.isWaiting == true)
    test.sendActions()
    #expect(test.states == [])
  }

  @Test func `a lost response is unknown if a request must not be repeated`() throws {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(.post, "/titles/1", with: .lost, .status(.noContent))
    let id = try test.perform(WriteTitle(id: 1, title: "Persuasion")).get()
    test.perform(WriteTitle(id: 1, title: "Sanditon"))
    #expect(test.states == [.unknown, .waiting(nil)])
    test.advance(by: .seconds(600))
    test.sendActions()
    #expect(test.stub.requests.filter { $0.head.method == .post }.count == 1)
    #expect(book.latest?.title == "Sanditon")
    // Also after a restart.
    let next = restarted()
    #expect(next.states == [.unknown, .waiting(nil)])
    test.decide(.send, for: id)
    #expect(test.states == [])
    #expect(test.stub.requests.filter { $0.head.method == .post }.count == 3)
  }

  @Test func `a request that never left is sent again`() {
    test.stub.stub(.post, "/titles/1", with: .refused, .status(.noContent))
    test.perform(WriteTitle(id: 1, title: "Persuasion"))
    #expect(test.states.first?.isWaiting == true)
    // A new process knows that, too.
    let next = restarted { $0.stub.stub(.post, "/titles/1", with: .status(.noContent)) }
    #expect(next.states == [])
  }

  @Test func `a killed process leaves an unknown action`() {
    _ = test.stub.hold(.post, "/titles/1")
    test.perform(WriteTitle(id: 1, title: "Persuasion"))
    #expect(test.states == [.sending])
    let next = restarted()
    #expect(next.states == [.unknown])
    let id = next.store.outbox.value[0].id
    next.decide(.done, for: id)
    #expect(next.states == [])
    #expect(next.stub.requests.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a check decides whether a request had its effect`(isDone: Bool) {
    test.stub.stub(.post, "/titles/1", with: .lost, .status(.noContent))
    let gate = test.stub.hold(Library.book(1))
    test.perform(WriteTitle(id: 1, title: "Persuasion", isChecked: true))
    #expect(test.states == [.unknown])
    gate.respond(with: .failure(Client.TransportFailure(.refused, reason: "refused")))
    test.settle()
    #expect(test.states == [.unknown])
    test.advance(by: .seconds(5))
    gate.respond(with: .book(1, isDone ? "Persuasion" : "Emma"))
    test.settle()
    if !isDone {
      #expect(test.states.first?.isWaiting == true)
      test.advance(by: .seconds(10))
    }
    #expect(test.states == [])
    #expect(test.stub.requests.filter { $0.head.method == .post }.count == (isDone ? 1 : 2))
  }

  @Test func `a refused action is kept without its edits until dismissed`() throws {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: .status(.forbidden), .status(.noContent))
    let id = try test.perform(StarBook(id: 1)).get()
    guard case .refused(let failure)? = test.states.first else {
      Issue.record("\(test.states)")
      return
    }
    #expect(book.latest?.isStarred == false)
    let next = restarted()
    #expect(next.states == [.refused(LoadFailure(message: failure.message))])
    #expect(next.store.outbox.value[0].edits(Book.self, 1))
    // A later action does not wait for it.
    test.perform(StarBook(id: 1))
    #expect(test.states.count == 1 && book.latest?.isStarred == true)
    test.decide(.drop, for: id)
    #expect(test.states == [])
    #expect(try outbox.storage.all() == [])
  }

  @Test func `a dropped action leaves with its edits, and is not sent`() throws {
    let book = test.observe(Library.bookEntry(1))
    test.stub.stub(Library.star(1), with: .refused)
    let id = try test.perform(StarBook(id: 1)).get()
    #expect(book.latest?.isStarred == true)
    test.decide(.drop, for: id)
    #expect(book.latest?.isStarred == false)
    test.advance(by: .seconds(60))
    #expect(test.stub.requests.filter { $0.head.method == .put }.count == 1)
  }

  @Test func `rejected credentials wait for a sign-in`() {
    test.stub.stub(Library.star(1), with: .status(.unauthorized), .status(.noContent))
    test.perform(StarBook(id: 1))
    #expect(test.states == [.waitingForSignIn])
    test.advance(by: .seconds(600))
    #expect(test.states == [.waitingForSignIn])
    test.sendActions()
    #expect(test.states == [])
  }

  @Test func `an action of another version of the app is kept, and its queue waits`() throws {
    test.stub.stub(Library.star(1), with: .refused)
    test.perform(StarBook(id: 1))
    let next = restarted([AddBook.self])
    #expect(next.states == [.unreadable])
    #expect(next.store.outbox.value[0].action == nil)
    #expect(next.stub.requests.isEmpty)
    let again = restarted { $0.stub.stub(Library.star(1), with: .status(.noContent)) }
    #expect(again.states == [])
  }

  @Test func `actions are of their accounts`() {
    let account = Mutex("a")
    let current: @Sendable () -> String? = { account.withLock { $0 } }
    let test = TestStore(outbox: outbox, account: current)
    stub(test)
    test.stub.stub(Library.star(1), with: .refused, .status(.noContent))
    test.perform(StarBook(id: 1))
    test.run { await test.client.signOut() }
    #expect(test.states == [.waitingForSignIn])
    account.withLock { $0 = "b" }
    let book = test.observe(Library.bookEntry(1))
    test.sendActions()
    #expect(test.states == [.waitingForSignIn] && book.latest?.isStarred == false)
    account.withLock { $0 = "a" }
    test.sendActions()
    #expect(test.states == [])
    #expect(test.stub.requests.filter { $0.head.method == .put }.count == 2)
  }

  @Test func `a sign-out removes actions without an account`() throws {
    test.stub.stub(Library.star(1), with: .refused)
    test.perform(StarBook(id: 1))
    test.run { await test.client.signOut() }
    #expect(test.states == [])
    #expect(try outbox.storage.all() == [])
    test.advance(by: .seconds(60))
    #expect(test.stub.requests.count == 1)
  }

  @Test func `a screen performs an action, and shows the outbox`() {
    struct Stars: Screen {
      struct State: Equatable {
        var outbox: [OutboxItem] = []
        var isStored = false
      }
      let store: Store
      var initial: State { State() }
      func begin(_ state: inout State, _ work: inout Work<State>) {
        work.follow("outbox", store.outbox, \.outbox)
      }
      func handle(_ id: Int, _ state: inout State, _ work: inout Work<State>) {
        work.perform(StarBook(id: id), in: store) { state, result, _ in
          state.isStored = (try? result.get()) != nil
        }
      }
    }
    let probe = ScreenProbe(Stars(store: test.store))
    let gate = test.stub.hold(Library.star(1))
    probe.send(1)
    #expect(probe.state.isStored)
    #expect(probe.state.outbox.map(\.action?.queue) == ["star 1"])
    gate.respond(with: .status(.noContent))
    probe.settle()
    #expect(probe.state.outbox.isEmpty)
  }
}
