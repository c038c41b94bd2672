import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import Synchronization
import Testing

/// Actions that meet a newer value of the server.
@Suite(.timeLimit(.minutes(1)))
struct OutboxConflictTests {
  private let outbox = Outbox.memory(actions: allActions)
  private let test: TestStore
  private let emma = Book(id: 1, title: "Emma")

  init() { test = TestStore(outbox) }

  private func theirs(_ title: String, isStarred: Bool = false) {
    test.stub.stub(Library.book(1), with: .book(1, title, isStarred: isStarred))
  }

  private func refusals(_ first: StubResponse, _ second: StubResponse? = nil) {
    if let second {
      test.stub.stub(.put, "/titles/1", with: first, second)
    } else {
      test.stub.stub(.put, "/titles/1", with: first)
    }
  }

  /// Changes the title from Emma to Persuasion.
  @discardableResult
  private func retitle(_ title: String = "Persuasion", replacing: UUID? = nil) -> UUID? {
    try? test.perform(Retitle(base: emma, title: title), replacing: replacing).get()
  }

  /// The queries of the requests that were sent.
  private func sent(_ test: TestStore? = nil) -> [String] {
    (test ?? self.test).stub.requests.filter { $0.head.method == .put }.map {
      $0.head.path?.split(separator: "?").last.map(String.init) ?? ""
    }
  }

  @Test func `an edit is based on a newer value of other fields`() {
    refusals(.status(.preconditionFailed), .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    theirs("Emma", isStarred: true)
    retitle()
    #expect(test.states == [])
    #expect(sent().count == 2)
    #expect(book.latest == Book(id: 1, title: "Persuasion", isStarred: true))
  }

  @Test(arguments: [HTTPResponse.Status.conflict, .preconditionFailed])
  func `a conflict shows both values, also after a restart`(status: HTTPResponse.Status) throws {
    refusals(.status(status), .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    theirs("Sanditon")
    retitle()
    #expect(test.states == [.conflict])
    #expect(book.latest?.title == "Persuasion")
    for test in [test, TestStore(outbox, title: "Sanditon")] {
      test.settle()
      let item = test.store.outbox.value[0]
      let conflict = try #require(item.conflict(of: Retitle.self))
      #expect(conflict.mine.title == "Persuasion" && conflict.mine.base.title == "Emma")
      #expect(conflict.theirs.title == "Sanditon")
      #expect(item.needsDecision && item.edits(Book.self, 1) && !item.edits(Book.self, 2))
    }
    test.advance(by: .seconds(600))
    test.sendActions()
    #expect(sent().count == 1)
  }

  @Test func `the user keeps the edit`() {
    refusals(.status(.conflict), .status(.noContent))
    theirs("Sanditon")
    retitle()
    test.decide(.send)
    #expect(test.states == [])
    #expect(sent() == ["title=Persuasion&from=Emma", "title=Persuasion&from=Sanditon"])
  }

  @Test func `the user takes the server's value`() {
    refusals(.status(.conflict))
    let book = test.observe(Library.bookEntry(1))
    theirs("Sanditon")
    retitle()
    test.decide(.drop)
    #expect(test.states == [])
    #expect(book.latest?.title == "Sanditon")
    #expect(sent().count == 1)
  }

  @Test func `the user sends another value`() {
    refusals(.status(.conflict), .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    theirs("Sanditon")
    let id = retitle()
    #expect(retitle("Lady Susan", replacing: id) == id)
    #expect(test.states == [])
    #expect(sent().last == "title=Lady%20Susan&from=Sanditon")
    #expect(book.latest?.title == "Lady Susan")
  }

  @Test func `a process decides about the conflict of another one`() {
    refusals(.status(.conflict))
    theirs("Sanditon")
    retitle()
    let next = TestStore(outbox, title: "Sanditon")
    next.stub.stub(.put, "/titles/1", with: .status(.noContent))
    next.settle()
    next.decide(.send)
    #expect(next.states == [])
    #expect(sent(next) == ["title=Persuasion&from=Sanditon"])
    test.sendActions()
    #expect(test.states == [])
  }

  @Test func `an edit whose response was lost is no conflict`() {
    refusals(
      .lost, .status(.preconditionFailed))
    retitle()
    #expect(test.states == [.waitingForNetwork])
    theirs("Persuasion")
    test.advance(by: .seconds(5))
    #expect(test.states == [])
    #expect(sent().count == 2)
  }

  @Test func `an edit waits for the newer value`() {
    test.stub.stub(
      .put, "/titles/1", with: .status(.conflict), .status(.conflict), .status(.noContent))
    let gate = test.stub.hold(Library.book(1))
    retitle()
    gate.respond(with: .unreachable)
    test.settle()
    #expect(test.states == [.waitingForNetwork])
    test.advance(by: .seconds(5))
    gate.respond(with: .book(1, "Emma"))
    test.settle()
    #expect(test.states == [])
    #expect(sent().count == 3)
  }

  @Test func `an edit of a removed value is refused`() {
    refusals(.status(.conflict))
    test.stub.stub(Library.book(1), with: .status(.notFound))
    retitle()
    #expect(test.states.first?.isRefused == true)
  }

  @Test func `conflicts do not follow each other without a pause`() {
    refusals(.status(.conflict))
    retitle()
    #expect(sent().count == 2)
    test.advance(by: .seconds(5))
    #expect(sent().count == 3)
  }

  // MARK: Edits of what waits

  private func isRefused(_ id: UUID?) -> Bool {
    let action = Retitle(base: emma, title: "Lady Susan")
    guard case .started? = test.perform(action, replacing: id).failure else { return false }
    return true
  }

  @Test func `a waiting action is replaced in its place`() {
    refusals(.refused, .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    let id = retitle()
    retitle("Sanditon")
    #expect(retitle("Lady Susan", replacing: id) == id)
    #expect(book.latest?.title == "Sanditon")
    let next = TestStore(outbox, title: "Emma")
    _ = next.stub.hold(.put, "/titles/1")
    let other = next.observe(Library.bookEntry(1))
    #expect(other.latest?.title == "Sanditon")
    test.sendActions()
    #expect(
      sent() == ["Persuasion", "Lady%20Susan", "Sanditon"].map { "title=\($0)&from=Emma" })
    #expect(test.states == [])
  }

  @Test func `an action that may have been sent is not replaced`() {
    let gate = test.stub.hold(.put, "/titles/1")
    let id = retitle()
    #expect(isRefused(id))
    gate.respond(with: .status(.noContent))
    test.settle()
    #expect(isRefused(id))
    #expect(sent() == ["title=Persuasion&from=Emma"])
  }

  @Test func `a refused action is replaced by another one`() {
    refusals(.status(.forbidden), .status(.noContent))
    let book = test.observe(Library.bookEntry(1))
    let id = retitle()
    #expect(book.latest?.title == "Emma")
    retitle("Lady Susan", replacing: id)
    #expect(book.latest?.title == "Lady Susan")
    #expect(test.states == [])
  }
}
