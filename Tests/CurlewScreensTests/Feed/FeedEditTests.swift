import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Edits of a feed's items while pages load and writes run.
@Suite(.timeLimit(.minutes(1)))
struct FeedEditTests {
  typealias State = Feed<Entry>.State

  struct Posts: Screen {
    enum Event {
      case list(Feed<Entry>.Event), like(Int), delete(Int), add(Int, at: Int = 0)
      /// Permanent changes that belong to no write.
      case plain(@Sendable (inout State) -> Void)
    }

    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let writes = PendingResponses<String, Void>()
    let feed: Feed<Entry>
    let initial = State()

    init() {
      feed = Feed { [pages] in try await pages.next(for: $0) }
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event): feed.handle(event, &state, &work)
      case .plain(let change): change(&state)
      case .like(let id):
        write("like \(id)", &work) { $0.update(id, until: $1) { $0.text += "♥" } }
      case .delete(let id): write("delete \(id)", &work) { $0.remove(id, until: $1) }
      case .add(let id, let index):
        write("add \(id)", &work) { $0.insert(Entry(id, "+"), at: index, until: $1) }
      }
    }

    private func write(
      _ name: String, _ work: inout Work<State>,
      _ edit: @escaping @Sendable (inout State, WorkID) -> Void
    ) {
      let id: WorkID = "\(name)"
      work.write(id) { [writes] in
        try await writes.next(for: name)
      } started: { state in
        edit(&state, id)
      } finished: { state, result, _ in
        state.settle(id, result)
      }
    }
  }

  let screen = Posts()
  let probe: ScreenProbe<Posts>

  init() {
    probe = ScreenProbe(screen)
    probe.send(.list(.load))
    page(Page([1, 2, 3], next: .number(2), total: 5))
  }

  func page(_ page: Page<Entry>) {
    screen.pages.reply(.success(page), to: screen.pages.waiting.count - 1)
    probe.settle()
  }

  func finish(_ name: String, fails: Bool = false) {
    guard let index = screen.writes.waiting.firstIndex(of: name) else {
      Issue.record("\(name) is not being written, but \(screen.writes.waiting)")
      return
    }
    screen.writes.reply(fails ? .failure(Broken()) : .success(()), to: index)
    probe.settle()
  }

  func plain(_ change: @escaping @Sendable (inout State) -> Void) { probe.send(.plain(change)) }

  var shown: String { probe.state.items.map { "\($0.id)\($0.text)" }.joined(separator: " ") }

  // MARK: Pages that arrive

  @Test func `page that arrives does not undo an edit`() {
    probe.send(.list(.more))
    probe.send(.like(2))
    plain { $0.update(3) { $0.text = "x" } }
    page(Page([3, 4], next: .number(3)))
    #expect(shown == "1 2♥ 3x 4")
    finish("like 2")
    #expect(shown == "1 2♥ 3x 4")
  }

  @Test func `page does not bring back what was changed since it was asked for`() {
    for (edit, change, expected) in [
      (.add(9), .plain { $0.remove(9) }, "1 2 3 4"),
      (.like(2), .plain { $0.update(2) { $0.text = "y" } }, "1 2y 3 4"),
      (.delete(2), .plain { $0.insert(Entry(2, "back")) }, "2back 1 3 4"),
    ] as [(Posts.Event, Posts.Event, String)] {
      let test = FeedEditTests()
      test.probe.send(.list(.more))
      test.probe.send(edit)
      test.finish(test.screen.writes.waiting[0])
      test.probe.send(change)
      test.page(Page([2, 4]))
      #expect(test.shown == expected)
    }
  }

  @Test func `refresh does not undo an edit whose write is running`() {
    probe.send(.like(2))
    probe.send(.delete(3))
    probe.send(.add(9))
    #expect(shown == "9+ 1 2♥")
    probe.send(.list(.refresh))
    page(Page([1, 2, 3], total: 3))
    #expect(shown == "9+ 1 2♥")
    #expect(probe.state.total == 3, "one more, and one less")
    for name in ["like 2", "delete 3", "add 9"] { finish(name) }
    #expect(shown == "9+ 1 2♥")
  }

  @Test func `refresh that was read before the write ended does not undo it`() {
    probe.send(.list(.refresh))
    probe.send(.add(9))
    probe.send(.like(9))
    probe.send(.like(2))
    probe.send(.delete(3))
    for name in ["add 9", "like 9", "delete 3", "like 2"] { finish(name) }
    page(Page([1, 2, 3]))
    #expect(shown == "9+♥ 1 2♥")
    // This refresh was requested after the writes, so its values win.
    probe.send(.list(.refresh))
    page(Page([Entry(1), Entry(2, "!"), 3]))
    #expect(shown == "1 2! 3")
  }

  @Test func `insertions that were written during a refresh stay in their order`() {
    probe.send(.list(.refresh))
    for id in 11...16 { probe.send(.add(id)) }
    for id in 11...16 { finish("add \(id)") }
    page(Page([1]))
    #expect(shown == "16+ 15+ 14+ 13+ 12+ 11+ 1")
  }

  @Test func `edit is made anew on what a refresh brings`() {
    probe.send(.like(2))
    probe.send(.list(.refresh))
    page(Page([Entry(2, "server"), 1]))
    #expect(shown == "2server♥ 1")
    finish("like 2", fails: true)
    #expect(shown == "2server 1", "rolled back to what the server says now")
  }

  @Test func `change that waits for no write is undone by a refresh`() {
    plain { $0.update(1) { $0.text = "x" } }
    probe.send(.list(.refresh))
    page(Page([1, 2]))
    #expect(shown == "1 2")
  }

  @Test func `first page keeps what was inserted while it loaded`() {
    let probe = ScreenProbe(screen)
    probe.send(.list(.load))
    probe.send(.add(9))
    page(Page([1]))
    probe.settle()
    #expect(probe.state.items == [Entry(9, "+"), 1])
    finish("add 9")
    #expect(probe.state.items == [Entry(9, "+"), 1])
  }

  // MARK: Rolling back

  @Test func `rollback is per edit`() {
    probe.send(.like(1))
    probe.send(.like(2))
    probe.send(.delete(3))
    finish("like 1", fails: true)
    #expect(shown == "1 2♥")
    finish("delete 3", fails: true)
    #expect(shown == "1 2♥ 3", "it is where it was")
    finish("like 2")
    #expect(shown == "1 2♥ 3")
  }

  @Test func `later edit of an item stays without the one that failed`() {
    probe.send(.like(1))
    plain { $0.update(1, until: "rename") { $0.text = "n" + $0.text } }
    #expect(shown == "1n♥ 2 3")
    finish("like 1", fails: true)
    #expect(shown == "1n 2 3")
    plain { $0.commit("rename") }
    #expect(shown == "1n 2 3")
  }

  @Test func `removal that fails after other edits comes back where it was`() {
    probe.send(.delete(2))
    probe.send(.add(9))
    probe.send(.delete(1))
    #expect(shown == "9+ 3")
    finish("delete 2", fails: true)
    #expect(shown == "9+ 2 3")
    finish("delete 1")
    finish("add 9", fails: true)
    #expect(shown == "2 3")
    #expect(probe.state.total == 4)
  }

  @Test func `edits with one name are settled in their order`() {
    probe.send(.like(1))
    probe.send(.like(1))
    #expect(shown == "1♥♥ 2 3")
    finish("like 1")
    finish("like 1", fails: true)
    #expect(shown == "1♥ 2 3")
  }

  @Test func `write settles its own edit only`() {
    probe.send(.add(9))
    probe.send(.list(.sourceChanged))
    page(Page([9, 2]))
    probe.send(.like(9))
    finish("add 9", fails: true)
    #expect(shown == "9♥ 2", "what it was for is not there any more")
    finish("like 9", fails: true)
    #expect(shown == "9 2")
  }

  @Test func `inserted item may be changed and removed before it is written`() {
    probe.send(.add(9))
    probe.send(.like(9))
    plain { $0.update(9) { $0.text = "new" } }
    #expect(shown == "9new♥ 1 2 3")
    probe.send(.delete(9))
    #expect(shown == "1 2 3")
    finish("add 9")
    finish("like 9")
    finish("delete 9", fails: true)
    #expect(shown == "9new♥ 1 2 3")
  }

  @Test func `hidden item may be changed for good`() {
    probe.send(.delete(2))
    probe.send(.delete(3))
    plain { state in
      state.update(2) { $0.text = "x" }
      state.remove(3)
    }
    finish("delete 2", fails: true)
    finish("delete 3", fails: true)
    #expect(shown == "1 2x")
  }

  @Test func `insertions at the end stay there`() {
    for order in [["add 8", "add 9"], ["add 9", "add 8"]] {
      let test = FeedEditTests()
      test.probe.send(.add(8, at: 3))
      test.probe.send(.add(9, at: 4))
      #expect(test.shown == "1 2 3 8+ 9+")
      test.finish(order[0])
      test.finish(order[1])
      #expect(test.shown == "1 2 3 8+ 9+")
    }
    probe.send(.add(8, at: 3))
    probe.send(.add(9, at: 4))
    finish("add 8", fails: true)
    #expect(shown == "1 2 3 9+")
    plain { $0.remove(3) }
    #expect(shown == "1 2 9+")
  }

  @Test func `removal for good is not undone by the refresh under way`() {
    probe.send(.list(.refresh))
    plain { state in
      state.remove(1)
      state.insert(9)
    }
    page(Page([1, 2]))
    #expect(shown == "9 2")
  }

  @Test func `permanent change survives the refresh under way`() {
    probe.send(.list(.refresh))
    plain { $0.update(1) { $0.text = "x" } }
    page(Page([1, 2]))
    #expect(shown == "1x 2")
    probe.send(.list(.refresh))
    page(Page([1, 2]))
    #expect(shown == "1 2", "this refresh was requested after the change")
  }

  @Test func `settled edit that waits for another one is undone by a later refresh`() {
    probe.send(.like(1))
    probe.send(.delete(2))
    finish("delete 2")
    #expect(shown == "1♥ 3")
    probe.send(.list(.refresh))
    page(Page([1, 2, 3]))
    #expect(shown == "1♥ 2 3", "another user has inserted it again")
    finish("like 1")
    #expect(shown == "1♥ 2 3")
  }

  // MARK: Failed edits that stay

  private func fail(_ write: WorkID) {
    plain { $0.settle(write, Result<Void, any Error>.failure(Broken()), keepsFailed: true) }
  }

  @Test func `failed insertion stays and can be sent again`() {
    plain { $0.insert(Entry(9, "+"), until: "send 9") }
    fail("send 9")
    #expect(shown == "9+ 1 2 3")
    #expect(probe.state.failedEdits.mapValues(\.textOnly) == [9: .broken])
    probe.send(.like(9))
    probe.send(.list(.refresh))
    page(Page([1, 2]))
    #expect(shown == "9+♥ 1 2")
    #expect(probe.state.failedEdits[9] != nil, "the refresh does not contain it")
    plain { $0.insert(Entry(9, "again"), until: "send 9") }
    #expect(shown == "9again♥ 1 2")
    #expect(probe.state.failedEdits.isEmpty, "it is sent again")
    plain { $0.commit("send 9") }
    finish("like 9", fails: true)
    #expect(shown == "9again 1 2")
  }

  @Test func `failed insertion can be discarded`() {
    plain { $0.insert(9, until: "send") }
    plain { $0.insert(8, until: "send") }
    fail("send")
    plain { $0.commit("send") }
    #expect(shown == "8 9 1 2 3", "the second write settles its own insertion")
    #expect(Set(probe.state.failedEdits.keys) == [9])
    plain { $0.rollBack("send") }
    #expect(shown == "8 1 2 3")
    #expect(probe.state.failedEdits.isEmpty)
  }

  @Test func `failed insertion is not in another list`() {
    plain { $0.insert(9, until: "send") }
    fail("send")
    probe.send(.list(.sourceChanged))
    page(Page([1, 9]))
    #expect(shown == "1 9")
    #expect(probe.state.failedEdits.isEmpty)
  }

  // MARK: Other lists

  @Test func `another list keeps the edits of items that are in it`() {
    probe.send(.like(2))
    probe.send(.add(9))
    probe.send(.list(.sourceChanged))
    #expect(shown == "")
    page(Page([2, 4]))
    #expect(shown == "2♥ 4", "without the item inserted into the other feed")
    finish("like 2", fails: true)
    finish("add 9")
    #expect(shown == "2 4")
  }

  @Test func `paged search keeps edits while its term changes`() {
    let probe = ScreenProbe(PagedSearch<Entry> { _, _ in Page([1, 2]) })
    func search(_ term: String) {
      probe.send(.term(term))
      probe.send(.submit())
    }
    search("a")
    var state = probe.state
    state.list.update(1, until: "like") { $0.text = "♥" }
    state.list.insert(9, until: "add")
    var work = Work<PagedSearch<Entry>.State>()
    PagedSearch<Entry> { _, _ in Page([1, 2]) }.handle(.term(""), &state, &work)
    #expect(state.list.items.isEmpty)
    state.list.rollBack("add")
    #expect(state.list != .init(), "the like is still running")
    state.list.commit("like")
    #expect(state.list.items.isEmpty)
    #expect(state.list == .init())
  }

  @Test func `two events in one change start one transfer`() {
    struct Both: Screen {
      let feed: Feed<Entry>
      let initial = State()
      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        for event in [Feed<Entry>.Event.load, .load, .sourceChanged, .load, .refresh] {
          feed.handle(event, &state, &work)
        }
      }
    }
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Both(feed: Feed { try await pages.next(for: $0) }))
    probe.send(())
    #expect(
      probe.steps == [.started], "the operation of the first write is not called")
  }

  @Test func `list whose items all went goes on`() {
    plain { state in for id in 1...3 { state.remove(id) } }
    probe.send(.list(.more))
    #expect(screen.pages.waiting == [nil], "the later items may have moved up")
    page(Page([1, 2, 3], next: .number(2)))
    page(Page([4]))
    #expect(shown == "4", "the items were removed only here")
  }
}
