import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// A screen begins once, and so does each part when it appears.
@Suite(.timeLimit(.minutes(1))) struct BeginTests {
  /// A part that follows a stream from its beginning.
  struct Ticker: Screen {
    struct State: Equatable, Identifiable, Sendable {
      var id = 0
      var begun = 0
      var ticks = 0
      var sheet: Sheet.State?
    }

    var initial: State { State() }
    var parts: [Part<State, Void>] { [Part(presented: \.sheet, Sheet())] }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      state.begun += 1
      if state.id == 9 { state.sheet = .init() }
      work.follow("ticks") {
        AsyncStream<Int> { $0.yield(1) }
      } each: { state, _, _ in
        state.ticks += 1
      }
    }

    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {}
  }

  struct Sheet: Screen {
    struct State: Equatable, Sendable { var begun = 0 }
    let initial = State()
    func begin(_ state: inout State, _ work: inout Work<State>) { state.begun += 1 }
    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {}
  }

  struct Home: Screen {
    struct State: Equatable, Sendable {
      var begun = 0
      var fixed = Ticker.State()
      var presented: Ticker.State?
      var rows: [Ticker.State] = []
    }

    enum Event: Sendable { case nothing, present(Int?), rows([Int]) }

    let initial: State
    var parts: [Part<State, Event>] {
      [
        Part(\.fixed, Ticker()), Part(presented: \.presented, Ticker()),
        Part(each: \.rows, Ticker()),
      ]
    }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      state.begun += 1
      state.presented = .init(id: 9)
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .nothing: break
      case .present(let id): state.presented = id.map { .init(id: $0) }
      case .rows(let ids):
        state.rows = ids.map { id in state.rows.first { $0.id == id } ?? .init(id: id) }
      }
    }
  }

  let probe = ScreenProbe(Home(initial: .init(rows: [.init(id: 1)])))

  @Test func `nothing begins before the first event`() {
    probe.settle()
    #expect(probe.state == Home.State(rows: [.init(id: 1)]))
  }

  @Test func `screen and parts begin once before the first event`() {
    for _ in 0..<3 { probe.send(.nothing) }
    let state = probe.state
    #expect(state.begun == 1)
    #expect(state.fixed.begun == 1 && state.fixed.ticks == 1)
    #expect(state.presented?.begun == 1, "it was presented by the beginning itself")
    #expect(state.presented?.sheet?.begun == 1, "and presents another one")
    #expect(state.rows.map(\.begun) == [1])
    #expect(state.rows.map(\.ticks) == [1])
  }

  @Test func `screen that is shown begins and resumes without beginning again`() {
    probe.resume()
    #expect(probe.state.begun == 1 && probe.state.fixed.begun == 1)
    probe.suspend()
    probe.resume()
    #expect(probe.state.begun == 1 && probe.state.fixed.begun == 1)
    #expect(probe.state.fixed.ticks == 2, "its stream was made anew")
  }

  @Test func `parts begin when they appear`() {
    probe.send(.rows([1, 2]))
    #expect(probe.state.rows.map(\.begun) == [1, 1])
    probe.send(.rows([2, 3]))
    #expect(probe.state.rows.map(\.begun) == [1, 1])
    #expect(probe.state.rows.map(\.ticks) == [1, 1])
    probe.send(.rows([1, 2]))
    #expect(probe.state.rows.map(\.begun) == [1, 1], "the first one appears again")
    probe.send(.present(1))
    #expect(probe.state.presented?.begun == 1, "another one")
    probe.send(.present(nil))
    probe.send(.present(1))
    #expect(probe.state.presented?.begun == 1)
    #expect(probe.state.presented?.ticks == 1)
  }

  @Test func `states of a sequence of events begin without an event`() async {
    let screen = Home(initial: .init())
    let (events, continuation) = AsyncStream<Home.Event>.makeStream()
    for await state in screen.states(for: events) where state.fixed.ticks == 1 {
      #expect(state.begun == 1)
      continuation.finish()
      break
    }
  }
}
