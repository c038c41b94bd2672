import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import HTTPTypes
import Testing

/// Tests screens that follow a store's edits while they load.
@Suite(.timeLimit(.minutes(1)))
struct FollowedStoreTests {
  private typealias BookDetail = Detail<Int, BookRow, Book>

  @Test func `a detail's known row follows the store while the content loads`() {
    let test = TestStore()
    test.stub.stub(Library.rows, with: .books([1: "Emma"]))
    test.observe(Library.rowsEntry()).stop()
    let gate = test.stub.hold(Library.book(1))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    detail.send(.show(1))
    #expect(detail.state.known?.title == "Emma" && detail.state.content.isLoading)
    let write = test.stub.hold(Library.star(1))
    test.perform(Library.star(1)) { $0.update(BookRow.self, 1) { $0.title = "Emma!" } }
    detail.settle()
    #expect(detail.state.known?.title == "Emma!")
    test.respond(to: write, with: .status(.conflict))
    detail.settle()
    #expect(detail.state.known?.title == "Emma")
    test.respond(to: gate, with: .book(1, "Emma, by Jane Austen"))
    detail.settle()
    #expect(detail.state.content.latest?.title == "Emma, by Jane Austen")
  }

  @Test func `A detail shows the row of its entry's account`() {
    let test = TestStore(hasCache: false) { $0.cache = .memory(account: { _ in "ann" }) }
    test.stub.stub(Library.rows, with: .books([1: "Emma"]))
    test.observe(Library.rowsEntry()).stop()
    _ = test.stub.hold(Library.book(1))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    detail.send(.show(1))
    #expect(detail.state.known?.title == "Emma" && test.store.entity(BookRow.self, 1) == nil)
  }

  @Test(arguments: [false, true])
  func `a screen that is shown again after long loads what is not fresh, once`(isFresh: Bool) {
    let test = TestStore()
    test.stub.stub(
      Library.book(1), with: .book(1, "Emma", .fresh(for: isFresh ? 7_200 : 60)))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    func settle() {
      for _ in 0..<3 {
        test.settle()
        detail.settle()
      }
    }
    detail.send(.show(1))
    settle()
    #expect(detail.state.content.latest?.title == "Emma")
    detail.suspend()
    test.advance(by: .seconds(3_600))
    detail.advance(by: .seconds(3_600))
    detail.resume()
    settle()
    #expect(test.stub.requests.count == (isFresh ? 1 : 2))
    #expect(detail.state.content.latest?.title == "Emma" && !detail.state.content.isLoading)
  }

  @Test(arguments: [HTTPResponse.Status.notFound, .gone, .internalServerError])
  func `a value that is gone at the server is missing`(status: HTTPResponse.Status) {
    let isGone = status != .internalServerError
    let test = TestStore()
    test.stub.stub(Library.book(1), with: .book(1, "Emma"), .status(status), .book(1, "Emma"))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    detail.send(.show(1))
    test.settle()
    detail.settle()
    #expect(detail.state.content.latest?.title == "Emma")
    detail.send(.refresh)
    test.settle()
    detail.settle()
    #expect((detail.state.content == .empty) == isGone)
    #expect((detail.state.content.failure == nil) == isGone)
    #expect((detail.state.content.latest == nil) == isGone)
    // Created again.
    detail.send(.refresh)
    test.settle()
    detail.settle()
    #expect(detail.state.content != .empty && detail.state.content.latest?.title == "Emma")
  }

  @MainActor @Test func `a model follows a store on the main actor`() async throws {
    let stub = StubTransport()
    let store = Store(Client.stubbed(by: stub) { $0.cache = .memory() })
    stub.stub(Library.book(1), with: .book(1, "Emma"))
    stub.stub(Library.books(), with: .books([1: "Emma", 2: "Persuasion"]))
    stub.stub(Library.star(1), with: .status(.noContent))
    let list = ScreenModel(Feed(source: store.source { Library.page($0) }))
    let detail = ScreenModel(BookDetail(source: store.source { Library.bookEntry($0) }))
    let views = [Task { await list.run() }, Task { await detail.run() }]
    defer { for view in views { view.cancel() } }
    await list.send(.load).finished()
    await detail.send(.show(1)).finished()
    let gate = stub.hold(Library.book(1))
    let refresh = detail.send(.refresh)
    await gate.waitForRequests(1)
    try await store.perform(Library.star(1), queue: "star") { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
    }
    gate.respond(with: .book(1, "Emma"))
    await refresh.finished()
    #expect(detail.state.content.latest?.isStarred == true)
    await list.send(.refresh).finished()
    #expect(list.items.map(\.isStarred) == [false, false])
  }
}
