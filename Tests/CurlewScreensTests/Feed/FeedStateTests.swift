import CurlewScreens
import Testing

/// A feed's state alone: created, edited and settled without a screen.
@Suite(.timeLimit(.minutes(1)))
struct FeedStateTests {
  typealias State = Feed<Entry>.State

  @Test func `settling what is not pending changes nothing`() {
    var state = State(items: [1, 2])
    let before = state
    state.commit("like 1")
    state.rollBack("like 2")
    state.settle("like 7", Result<Void, any Error>.success(()))
    state.update(7) { $0.text = "x" }
    state.remove(7)
    #expect(state == before)
    state.update(7, until: "x") { $0.text = "x" }
    state.remove(7, until: "x")
    state.update(1, until: "y") { $0.text = "y" }
    #expect(state.items == [Entry(1, "y"), 2])
    for name in ["x", "x", "y"] { state.rollBack("\(name)") }
    #expect(state == before, "a rollback leaves no trace")
  }

  @Test func `what was edited later stays on top in whichever order the writes end`() {
    var state = State(items: [1])
    state.insert(9, until: "add")
    state.remove(9, until: "delete")
    state.commit("delete")
    #expect(state.items == [1])
    state.commit("add")
    #expect(state.items == [1])

    state.update(1, until: "x") { $0.text = "x" }
    state.update(1, until: "y") { $0.text = "y" }
    state.commit("y")
    #expect(state.items == [Entry(1, "y")])
    state.commit("x")
    #expect(state.items == [Entry(1, "y")])

    state.insert(7, until: "add 7")
    state.insert(8, until: "add 8")
    state.update(7, until: "like 7") { $0.text = "♥" }
    state.commit("like 7")
    state.commit("add 8")
    #expect(state.items == [8, Entry(7, "♥"), Entry(1, "y")])
    state.commit("add 7")
    #expect(state.items == [8, Entry(7, "♥"), Entry(1, "y")])
    #expect(state == State(items: [8, Entry(7, "♥"), Entry(1, "y")]))
  }

  @Test func `edit that is dropped keeps its turn`() {
    var state = State(items: [1, 2])
    state.update(1, until: "save") { $0.text = "x" }
    state.update(7, until: "save") { $0.text = "x" }
    state.update(2, until: "save") { $0.text = "x" }
    state.remove(1)
    state.commit("save")
    state.commit("save")
    #expect(state.items == [Entry(2, "x")])
    state.rollBack("save")
    #expect(state.items == [2])
  }

  @Test func `insertion for good replaces the pending one`() {
    var state = State(items: [1])
    state.insert(Entry(9, "mine"), until: "add")
    state.insert(Entry(9, "the server's"))
    state.remove(1, until: "delete")
    state.insert(Entry(1, "back"))
    #expect(state.items == [Entry(9, "the server's"), Entry(1, "back")])
    state.commit("add")
    state.commit("delete")
    #expect(state.items == [Entry(9, "the server's"), Entry(1, "back")])
  }

  @Test func `item is shown once`() {
    var state = State(items: [1, 2])
    state.insert(Entry(2, "again"), at: 0)
    #expect(state.items == [1, Entry(2, "again")])
    state.insert(3, at: 99)
    state.insert(4, at: -1)
    #expect(state.items == [4, 1, Entry(2, "again"), 3])
    #expect(State(items: [1, 1]).items == [1])
  }

  @Test func `id can not be changed`() {
    var state = State(items: [1, 2])
    state.update(1) { $0 = 2 }
    state.update(1, until: "write") { $0 = 9 }
    #expect(state.items == [1, 2])
  }

  @Test func `last item that goes leaves an empty list`() {
    var state = State(items: [1], total: 1)
    #expect(state.status == .ended)
    state.remove(1, until: "delete")
    #expect(state.status == .empty)
    #expect(state.total == 0)
    state.rollBack("delete")
    #expect(state.status == .ended)
    #expect(state.total == 1)
  }

  @Test(arguments: [Int.max, Int.max - 1, 0, -5, Int.min])
  func `any total is safe`(total: Int) {
    var state = State(items: [1, 2], total: total)
    state.remove(1, until: "delete")
    state.insert(7)
    state.insert(8, until: "add")
    state.remove(2)
    #expect((state.total ?? -1) >= 0)
    #expect(total > 0 || state.total == 0 || total == 0)
  }

  @Test func `state can be made`() {
    let state = State(
      items: [1, 2], start: .number(2), next: .cursor("c"), total: 9, isPartial: true,
      skippedEntries: ["d"])
    #expect(state.status == .content && state.canLoadMore)
    #expect(state.items == [1, 2] && state.total == 9)
    #expect(State(items: [], status: .empty).status == .empty)
    #expect(State(items: [1], next: nil).status == .ended)
    #expect(State() == Feed<Entry> { _ in Page([1]) }.initial)
  }
}
