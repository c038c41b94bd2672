import CurlewScreens
import CurlewTesting
import Testing

/// States created for a preview or a test, and screens that start from them.
@Suite(.timeLimit(.minutes(1)))
struct MadeStateTests {
  @Test func `search state is made`() {
    let state = Search<String>.State(text: " akita ", results: .content(["Akita"]))
    #expect(state.text == " akita ")
    #expect(state.query == "akita")
    #expect(state.term == "akita")
    #expect(state.items == ["Akita"])
    #expect(Search<String>.State(text: "aki", term: "ak", results: .empty).term == "ak")
    #expect(Search<String>.State(text: "aki").term == nil)
    #expect(Search<String>.State(text: "a", hint: "More.").hint == "More.")
  }

  @Test func `search goes on from a made state`() {
    let search = Search<String> { [$0] }
    var state = Search<String>.State(text: "a", results: .failed(.broken, last: ["1"]))
    var work = Work<Search<String>.State>()
    search.handle(.retry, &state, &work)
    #expect(work.started == [.search])
    #expect(state.items == ["1"])
  }

  /// A button that clears the field or a parent that passes on two events can cause this.
  @Test func `search that is cleared in the same change never begins`() {
    struct Both: Screen {
      struct State: Equatable {
        var search = Search<String>.State()
        var paged = PagedSearch<Entry>.State()
      }
      let initial = State()
      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        for event in [Search<String>.Event.term("x"), .submit, .term("")] {
          work.scope(\.search) { Search { [$0] }.handle(event, &state.search, &$0) }
        }
        for event in [PagedSearch<Entry>.Event.term("x"), .submit(), .term("")] {
          let paged = PagedSearch<Entry> { _, _ in Page([1]) }
          work.scope(\.paged) { paged.handle(event, &state.paged, &$0) }
        }
      }
    }
    let probe = ScreenProbe(Both())
    let sent = probe.send(())
    #expect(probe.state == .init())
    #expect(probe.steps.isEmpty)
    #expect(sent.isFinished)
  }

  @Test func `paged search state is made`() {
    let list = Feed<Entry>.State(items: [1, 2], next: .number(2))
    var state = PagedSearch<Entry>.State(text: "swift ", list: list)
    #expect(state.term == "swift")
    #expect(state.text == "swift ")
    state.list.update(1) { $0.text = "x" }
    #expect(state.list.items.map(\.text) == ["x", ""])
  }

  @Test func `detail state is made`() {
    typealias State = Detail<Int, String, String>.State
    let state = State(id: 1, known: "a little", content: .content("all"))
    #expect(state.id == 1 && state.known == "a little" && state.content.latest == "all")
  }
}
