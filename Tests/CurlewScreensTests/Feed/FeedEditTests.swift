import CurlewScreens
import CurlewTesting
import Testing

/// Items of a feed that are changed while pages come and writes run.
@Suite(.timeLimit(.minutes(1)))
struct FeedEditTests {
  typealias State = Feed<Entry>.State

  struct Posts: Screen {
    enum Event {
      case list(Feed<Entry>.Event), like(Int), delete(Int), add(Int), rename(Int, String)
    }

    let pages = Answers<PageKey?, Page<Entry>>()
    let writes = Answers<String, Void>()
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event):
        Feed { [pages] in try await pages.next(for: $0) }.handle(event, &state, &work)
      case .like(let id):
        write("like", id, &work) { $0.update(id, optimistically: true) { $0.text += "♥" } }
      case .delete(let id):
        write("delete", id, &work) { $0.remove(id, optimistically: true) }
      case .add(let id):
        write("add", id, &work) { $0.insert(Entry(id, "new"), optimistically: true) }
      case .rename(let id, let text):
        state.update(id) { $0.text = text }
      }
    }

    private func write(
      _ name: String, _ id: Int, _ work: inout Work<State>,
      _ edit: @escaping @Sendable (inout State) -> Void
    ) {
      work.write("item \(id)") { [writes] in
        try await writes.next(for: "\(name) \(id)")
      } started: { state in
        edit(&state)
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

  func finish(_ name: String, _ result: Result<Void, any Error> = .success(())) {
    guard let index = screen.writes.waiting.firstIndex(of: name) else {
      Issue.record("\(name) is not being written, but \(screen.writes.waiting)")
      return
    }
    screen.writes.reply(result, to: index)
    probe.settle()
  }

  var shown: [String] { probe.state.items.map { "\($0.id)\($0.text)" } }

  // MARK: Pages that arrive

  @Test func pageThatArrivesDoesNotUndoAnEdit() {
    probe.send(.list(.more))
    probe.send(.like(2))
    probe.send(.rename(3, "x"))
    page(Page([3, 4], next: .number(3)))
    #expect(shown == ["1", "2♥", "3x", "4"])
    finish("like 2")
    #expect(shown == ["1", "2♥", "3x", "4"])
  }

  @Test func refreshDoesNotUndoAnEditWhoseWriteIsRunning() {
    probe.send(.like(2))
    probe.send(.delete(3))
    probe.send(.add(9))
    #expect(shown == ["9new", "1", "2♥"])
    probe.send(.list(.refresh))
    page(Page([1, 2, 3], total: 3))
    #expect(shown == ["9new", "1", "2♥"])
    #expect(probe.state.total == 3, "one more, and one less")
    finish("like 2")
    finish("delete 3")
    finish("add 9")
    #expect(shown == ["9new", "1", "2♥"])
  }

  @Test func refreshThatWasReadBeforeTheWriteEndedDoesNotUndoIt() {
    probe.send(.like(2))
    probe.send(.delete(3))
    probe.send(.add(9))
    probe.send(.list(.refresh))
    for name in ["like 2", "delete 3", "add 9"] { finish(name) }
    page(Page([1, 2, 3]))
    #expect(shown == ["9new", "1", "2♥"])
    // The next refresh was asked for after the writes: what it says counts.
    probe.send(.list(.refresh))
    page(Page([Entry(1), Entry(2, "!"), 3]))
    #expect(shown == ["1", "2!", "3"])
  }

  @Test func editIsShownOnWhatARefreshBrings() {
    probe.send(.like(2))
    probe.send(.list(.refresh))
    page(Page([Entry(2, "server"), 1]))
    #expect(shown == ["2♥", "1"])
    finish("like 2", .failure(Broken()))
    #expect(shown == ["2server", "1"], "rolled back to what the server says now")
  }

  @Test func changeThatIsNotPendingIsUndoneByARefresh() {
    probe.send(.rename(1, "x"))
    probe.send(.list(.refresh))
    page(Page([1, 2]))
    #expect(shown == ["1", "2"])
  }

  // MARK: Rolling back

  @Test func rollbackIsPerItem() {
    probe.send(.like(1))
    probe.send(.like(2))
    probe.send(.delete(3))
    finish("like 1", .failure(Broken()))
    #expect(shown == ["1", "2♥"])
    finish("delete 3", .failure(Broken()))
    #expect(shown == ["1", "2♥", "3"], "it is where it was")
    finish("like 2")
    #expect(shown == ["1", "2♥", "3"])
  }

  @Test func removalThatFailsAfterOtherEditsComesBackWhereItWas() {
    probe.send(.delete(2))
    probe.send(.add(9))
    probe.send(.delete(1))
    #expect(shown == ["9new", "3"])
    finish("delete 2", .failure(Broken()))
    #expect(shown == ["9new", "2", "3"])
    finish("delete 1")
    finish("add 9", .failure(Broken()))
    #expect(shown == ["2", "3"])
    #expect(probe.state.total == 4)
  }

  @Test func editsOfOneItemAreSettledInTheirOrder() {
    probe.send(.like(1))
    probe.send(.like(1))
    #expect(shown[0] == "1♥♥")
    finish("like 1")
    #expect(shown[0] == "1♥♥")
    finish("like 1", .failure(Broken()))
    #expect(shown[0] == "1♥")
    probe.send(.like(1))
    probe.send(.delete(1))
    finish("like 1", .failure(Broken()))
    #expect(shown == ["2", "3"])
    finish("delete 1")
    #expect(shown == ["2", "3"])
  }

  @Test func insertedItemMayBeChangedAndRemovedBeforeItIsWritten() {
    probe.send(.add(9))
    probe.send(.like(9))
    probe.send(.rename(9, "renamed"))
    #expect(shown == ["9renamed", "1", "2", "3"])
    probe.send(.delete(9))
    #expect(shown == ["1", "2", "3"])
    finish("add 9")
    finish("like 9")
    finish("delete 9", .failure(Broken()))
    #expect(shown == ["9renamed", "1", "2", "3"])
  }

  @Test func settlingWhatHasNoEditChangesNothing() {
    var state = State(items: [1, 2])
    let before = state
    state.commit(1)
    state.rollBack(2)
    state.settle(7, Result<Void, any Error>.success(()))
    state.update(7) { $0.text = "x" }
    state.remove(7)
    #expect(state == before)
  }

  // MARK: Other lists

  @Test func anotherListKeepsTheEditsOfItemsThatAreInIt() {
    probe.send(.like(2))
    probe.send(.add(9))
    probe.send(.list(.replaced))
    #expect(shown == [])
    page(Page([2, 4]))
    #expect(shown == ["2♥", "4"], "and not what was inserted into the other one")
    finish("like 2", .failure(Broken()))
    finish("add 9")
    #expect(shown == ["2", "4"])
  }

  // MARK: The state itself

  @Test func itemIsShownOnce() {
    var state = State(items: [1, 2])
    state.insert(Entry(2, "again"), at: 0)
    #expect(state.items == [1, Entry(2, "again")])
    state.insert(3, at: 99)
    state.insert(4, at: -1)
    #expect(state.items == [4, 1, Entry(2, "again"), 3])
    #expect(State(items: [1, 1]).items == [1])
  }

  @Test func idCanNotBeChanged() {
    var state = State(items: [1, 2])
    state.update(1) { $0 = 2 }
    state.update(1, optimistically: true) { $0 = 9 }
    #expect(state.items == [1, 2])
  }

  @Test func lastItemThatGoesLeavesAnEmptyList() {
    var state = State(items: [1], total: 1)
    #expect(state.status == .ended)
    state.remove(1, optimistically: true)
    #expect(state.status == .empty)
    #expect(state.total == 0)
    state.rollBack(1)
    #expect(state.status == .ended)
    #expect(state.total == 1)
  }

  @Test func stateCanBeMade() {
    let state = State(
      items: [1, 2], start: .number(2), next: .cursor("c"), total: 9, isPartial: true,
      damages: ["d"])
    #expect(state.status == .content && state.canLoadMore)
    #expect(State(items: [], status: .empty).status == .empty)
    #expect(State(items: [1], next: nil).status == .ended)
    #expect(State() == Feed<Entry> { _ in Page([1]) }.initial)
  }
}
