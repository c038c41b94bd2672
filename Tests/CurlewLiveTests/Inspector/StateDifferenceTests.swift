import CurlewLive
import Foundation
import Testing

struct StateDifferenceTests {
  struct State {
    enum Phase {
      case idle
      case loaded(items: [Item], total: Int?)
    }

    struct Item {
      var id: Int
      var title: String
    }

    var phase = Phase.idle
    var name: String?
    var tags: Set<String> = []
    var counts: [String: Int] = [:]
    var time = Duration.zero
  }

  private func changes(_ change: (inout State) -> Void) -> [String] {
    var after = State(phase: .loaded(items: [.init(id: 1, title: "a")], total: nil))
    let before = after
    change(&after)
    return StateDifference(from: before, to: after).changes.map {
      "\($0.path) \($0.old ?? "–") \($0.new ?? "–")"
    }
  }

  @Test func `a value is named by its path`() {
    #expect(changes { _ in } == [])
    #expect(changes { $0.name = "x" } == [#"name nil "x""#])
    #expect(changes { $0.time = .seconds(1) } == ["time 0.0 seconds 1.0 seconds"])
    #expect(changes { $0.tags = ["b", "a"] } == [#"tags {} {"a", "b"}"#])
    #expect(
      changes { $0.counts = ["a": 1] } == [#"counts.count 0 1"#, "counts[a] – 1"])
    #expect(
      changes { $0.phase = .loaded(items: [.init(id: 1, title: "b")], total: 2) }
        == [#"phase.loaded.items[0].title "a" "b""#, "phase.loaded.total nil 2"])
    #expect(
      changes { $0.phase = .idle } == [
        "phase – idle", "phase.loaded.items.count 1 –", "phase.loaded.items[0].id 1 –",
        #"phase.loaded.items[0].title "a" –"#, "phase.loaded.total nil –",
      ])
  }

  @Test func `the values of the first state are counted`() {
    let difference = StateDifference(from: nil, to: State.Item(id: 1, title: "a"))
    #expect(difference.changes.isEmpty && difference.more == 2)
  }

  @Test func `what is no name is in no path`() {
    @propertyWrapper struct Wrapped { var wrappedValue: Int }
    struct Inner {
      @Wrapped var number = 0
      var pair = (left: 0, 0)
    }
    struct Outer { var content: Inner }
    var state = Outer(content: Inner())
    let before = state
    state.content.number = 1
    state.content.pair.left = 1
    state.content.pair.1 = 1
    #expect(
      StateDifference(from: before, to: state).changes.map(\.path)
        == ["number", "pair.left", "pair"])
  }

  @Test func `large states are cut short`() {
    let items = (0..<50_000).map { State.Item(id: $0, title: "\($0)") }
    let difference = StateDifference(from: [State.Item](), to: items)
    #expect(difference.changes.count == 50 && difference.more > 1_000)
    let text = StateDifference(from: "", to: String(repeating: "long ", count: 1_000_000))
    #expect(text.changes.first?.new?.count ?? 0 < 300)
  }

  @Test func `a state that contains itself ends`() {
    final class Ring {
      var next: Ring?
    }
    let ring = Ring()
    ring.next = ring
    #expect(StateDifference(from: nil, to: ring).more == 1)
    ring.next = nil
  }

  @Test func `events are described without modules`() {
    enum Event {
      case pick(State.Item, of: String?)
      case phase(State.Phase)
      case tags([Set<Int>])
    }
    let text = { (event: Event) in StateDifference.text(of: event, longest: 300) }
    #expect(
      text(.pick(.init(id: 1, title: "a"), of: nil)) == #"pick(Item(id: 1, title: "a"), of: nil)"#)
    #expect(text(.phase(.loaded(items: [], total: 1))) == "phase(loaded(items: [], total: 1))")
    #expect(text(.phase(.idle)) == "phase(idle)")
    #expect(text(.tags([[2, 1]])) == "tags([{1, 2}])")
  }
}
