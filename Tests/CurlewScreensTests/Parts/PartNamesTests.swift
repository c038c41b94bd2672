import CurlewScreens
import CurlewTesting
import Testing

/// Two parts of one kind in one parent: each has its own work names.
@Suite(.timeLimit(.minutes(1)))
struct PartNamesTests {
  /// Two parts of one kind.
  struct Pair<Part: Screen>: Screen {
    enum Event { case left(Part.Event), right(Part.Event) }

    struct State: Equatable {
      var left: Part.State
      var right: Part.State
    }

    let left: Part
    let right: Part
    var initial: State { State(left: left.initial, right: right.initial) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .left(let event): work.scope(\.left) { left.handle(event, &state.left, &$0) }
      case .right(let event): work.scope(\.right) { right.handle(event, &state.right, &$0) }
      }
    }
  }

  func pair<Part: Screen>(_ left: Part, _ right: Part) -> ScreenProbe<Pair<Part>> {
    ScreenProbe(Pair(left: left, right: right))
  }

  @Test func `two feeds load beside each other`() {
    let (one, two) = (
      PendingResponses<PageKey?, Page<Entry>>(), PendingResponses<PageKey?, Page<Entry>>()
    )
    let probe = pair(
      Feed<Entry> { try await one.next(for: $0) }, Feed<Entry> { try await two.next(for: $0) })
    probe.send(.left(.load))
    probe.send(.right(.load))
    one.reply(.success(Page([1])))
    two.reply(.success(Page([2])))
    probe.settle()
    #expect(probe.state.left.items == [1])
    #expect(probe.state.right.items == [2])
    probe.send(.left(.refresh))
    #expect(one.waiting == [nil], "it is not stuck")
  }

  @Test func `two searches search beside each other`() {
    let responses = PendingResponses<String, [String]>()
    let search = Search<String> { try await responses.next(for: $0) }
    let probe = pair(search, search)
    probe.send(.left(.term("a")))
    probe.advance(by: .milliseconds(300))
    probe.send(.right(.term("b")))
    probe.advance(by: .milliseconds(200))
    #expect(responses.requested == ["a"], "each has its own debounce")
    probe.advance(by: .milliseconds(300))
    responses.reply(.success(["A"]))
    responses.reply(.success(["B"]))
    probe.settle()
    #expect(probe.state.left.items == ["A"])
    #expect(probe.state.right.items == ["B"])
    probe.send(.left(.term("")))
    #expect(probe.state.right.items == ["B"])
  }

  @Test func `parent may use its parts names`() {
    struct Parent: Screen {
      enum Event { case part(Search<String>.Event), own, stopPart }
      struct State: Equatable {
        var part = Search<String>.State()
        var own = ""
      }
      let responses = PendingResponses<String, String>()
      var initial: State { State() }
      func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
        switch event {
        case .part(let event):
          let search = Search<String> { [responses] in [try await responses.next(for: $0)] }
          work.scope(\.part) { search.handle(event, &state.part, &$0) }
        case .own:
          work.latest("search") { [responses] in
            try await responses.next(for: "own")
          } finished: { state, result, _ in
            state.own = (try? result.get()) ?? "failed"
          }
        case .stopPart: work.cancel(.search.in(\State.part))
        }
      }
    }
    let screen = Parent()
    let probe = ScreenProbe(screen)
    probe.send(.part(.term("a")))
    probe.send(.part(.submit))
    probe.send(.own)
    screen.responses.reply(.success("A"))
    screen.responses.reply(.success("OWN"))
    probe.settle()
    #expect(probe.state.part.items == ["A"])
    #expect(probe.state.own == "OWN")
    // The parent can also name the work of its part.
    probe.send(.part(.term("b")))
    probe.send(.part(.submit))
    probe.send(.stopPart)
    screen.responses.reply(.success("B"))
    probe.settle()
    #expect(probe.state.part.items == ["A"])
    #expect(!probe.runner.isWorking)
  }

  @Test func `names tell the path of their part`() {
    let search = Search<String> { [$0] }
    let probe = pair(search, search)
    probe.send(.right(.term("a")))
    probe.send(.right(.submit))
    let ids = probe.records.compactMap { _, record in
      if case .work(let id, _, let run) = record, run > 0 { "\(id)" } else { String?.none }
    }
    #expect(ids == ["right.search", "right.search"])
    #expect(probe.steps == [.started, .finished(error: nil)])
    #expect(WorkID.search.in(\Pair<Search<String>>.State.left).description == "left.search")
  }

  @Test func `name may be computed`() {
    let id: WorkID = "row \(7)"
    #expect(id == WorkID("row 7"))
    #expect("\(id)" == "row 7")
  }
}
