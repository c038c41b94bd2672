import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// Declared parts, whose states the runner follows.
@Suite(.timeLimit(.minutes(1)))
struct FollowedPartTests {
  /// Doubles small numbers, and counts the calls of its `follow`.
  struct Doubler: Screen {
    struct State: Equatable, Identifiable {
      var id = 0
      var number = 1
    }

    let calls: Calls
    var initial: State { State() }
    func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
      state.number = event
    }
    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      calls.ids.withLock { $0.append(state.id) }
      if state.number < 10 { state.number *= 2 }
    }
  }

  final class Calls: Sendable {
    let ids = Mutex<[Int]>([])

    func taken() -> [Int] {
      ids.withLock { ids in
        defer { ids = [] }
        return ids
      }
    }
  }

  struct Parent: Screen {
    enum Event { case plain(Int), sheet(Int?), row(Int, Int), rows([Int]), note }

    struct State: Equatable {
      var plain = Doubler.State(id: 1, number: 10)
      var sheet: Doubler.State?
      var rows: [Doubler.State] = []
      var note = 0
      var sum = 0
    }

    let calls = Calls()
    var doubler: Doubler { Doubler(calls: calls) }
    let initial = State()

    var parts: [Part<State, Event>] {
      [Part(\.plain, doubler), Part(presented: \.sheet, doubler), Part(each: \.rows, doubler)]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .plain(let number): work.scope(\.plain) { doubler.handle(number, &state.plain, &$0) }
      case .sheet(let number): state.sheet = number.map { Doubler.State(id: 2, number: $0) }
      case .rows(let ids): state.rows = ids.map { Doubler.State(id: $0, number: 10) }
      case .row(let id, let number):
        work.scope(each: \.rows, id: id, &state) { doubler.handle(number, &$0, &$1) }
      case .note: state.note += 1
      }
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      state.sum = state.plain.number + (state.sheet?.number ?? 0)
    }
  }

  let screen = Parent()
  let probe: ScreenProbe<Parent>

  init() {
    probe = ScreenProbe(screen)
  }

  @Test func `changed part follows before its parent`() {
    probe.send(.plain(3))
    #expect(probe.state.plain.number == 12)
    #expect(probe.state.sum == 12)
    #expect(probe.states.count == 2, "one state")
    #expect(screen.calls.taken() == [1, 1, 1], "until it rests")
  }

  @Test func `only changed parts are asked`() {
    probe.send(.rows([11, 12, 13]))
    #expect(screen.calls.taken() == [11, 12, 13], "they are new")
    probe.send(.note)
    #expect(screen.calls.taken() == [])
    probe.send(.row(12, 7))
    #expect(screen.calls.taken() == [12, 12])
    #expect(probe.state.rows.map(\.number) == [10, 14, 10])
    probe.send(.rows([13, 12, 11, 14]))
    #expect(screen.calls.taken() == [12, 14], "moved is not changed")
  }

  @Test func `presented part follows while it is there`() {
    probe.send(.sheet(4))
    #expect(probe.state.sheet?.number == 16)
    #expect(probe.state.sum == 26)
    _ = screen.calls.taken()
    probe.send(.sheet(nil))
    #expect(screen.calls.taken() == [])
  }

  @Test func `parts of parts are followed`() {
    struct Outer: Screen {
      struct State: Equatable {
        var inner = Parent.State()
      }
      let inner = Parent()
      let initial = State()
      var parts: [Part<State, Parent.Event>] { [Part(\.inner, inner)] }
      func handle(_ event: Parent.Event, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.inner) { inner.handle(event, &state.inner, &$0) }
      }
    }
    let probe = ScreenProbe(Outer())
    probe.send(.plain(3))
    probe.send(.sheet(4))
    probe.send(.rows([7]))
    probe.send(.row(7, 6))
    #expect(probe.state.inner.plain.number == 12)
    #expect(probe.state.inner.sheet?.number == 16)
    #expect(probe.state.inner.sum == 28)
    #expect(probe.state.inner.rows.map(\.number) == [12])
  }

  @Test func `part that never rests is named`() async {
    struct Restless: Screen {
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) { state += 1 }
      func stateDidChange(_ state: inout Int, _ work: inout Work<Int>) { state += 1 }
    }
    struct Around: Screen {
      struct State: Equatable {
        var inner = 0
      }
      let initial = State()
      var parts: [Part<State, Void>] { [Part(\.inner, Restless())] }
      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        state.inner += 1
      }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScreenProbe(Around()).send(())
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains("Around loops forever: its stateDidChange, or the stateDidChange of inner,"))
  }

  // MARK: Followed parts

  /// Two feeds.
  struct Board: Screen {
    enum Event {
      case left(Feed<Entry>.Event), right(Feed<Entry>.Event)
    }

    struct State: Equatable {
      var left: Feed<Entry>.State
      var right: Feed<Entry>.State
    }

    let left: Feed<Entry>
    let right: Feed<Entry>
    var initial: State { State(left: left.initial, right: right.initial) }
    var parts: [Part<State, Event>] { [Part(\.left, left), Part(\.right, right)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .left(let event): work.scope(\.left) { left.handle(event, &state.left, &$0) }
      case .right(let event): work.scope(\.right) { right.handle(event, &state.right, &$0) }
      }
    }
  }

  @Test func `the indicator names the parts that are loading`() {
    let (one, two) = (
      PendingResponses<PageKey?, Page<Entry>>(), PendingResponses<PageKey?, Page<Entry>>()
    )
    let probe = ScreenProbe(
      Board(
        left: Feed { try await one.next(for: $0) },
        right: Feed { try await two.next(for: $0) }))
    let (left, right) = (WorkID.feed.in(\Board.State.left), WorkID.feed.in(\Board.State.right))
    probe.send(.left(.load))
    probe.advance(by: .milliseconds(200))
    #expect(probe.activity.loading == [left: .first])
    probe.send(.right(.load))
    #expect(probe.activity.loading == [left: .first, right: .first])
    one.reply(.success(Page([1])))
    probe.settle()
    #expect(probe.activity.loading == [right: .first])
    probe.send(.left(.refresh))
    #expect(probe.activity.loading == [left: .refresh, right: .first])
  }

  /// Two searches.
  struct Trip: Screen {
    enum Event { case from(Search<String>.Event), to(Search<String>.Event) }

    struct State: Equatable {
      var from = Search<String>.State()
      var to = Search<String>.State()
    }

    let search: Search<String>
    let initial = State()

    var parts: [Part<State, Event>] {
      [
        Part(\.from, search, event: Event.from),
        Part(\.to, search, named: "destination", event: Event.to),
      ]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .from(let event): work.scope(\.from) { search.handle(event, &state.from, &$0) }
      case .to(let event): work.scope(\.to) { search.handle(event, &state.to, &$0) }
      }
    }
  }

  @Test func `screen in between passes the loads of its parts on`() {
    struct Middle: Screen {
      struct State: Equatable {
        var trip = Trip.State()
      }
      let trip: Trip
      let initial = State()
      var parts: [Part<State, Trip.Event>] { [Part(\.trip, trip) { $0 }] }
      func handle(_ event: Trip.Event, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.trip) { trip.handle(event, &state.trip, &$0) }
      }
    }
    struct Outer: Screen {
      struct State: Equatable {
        var middle = Middle.State()
      }
      let middle: Middle
      let initial = State()
      var parts: [Part<State, Trip.Event>] { [Part(\.middle, middle) { $0 }] }
      func handle(_ event: Trip.Event, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.middle) { middle.handle(event, &state.middle, &$0) }
      }
    }
    let responses = PendingResponses<String, [String]>()
    let trip = Trip(search: Search { try await responses.next(for: $0) })
    let probe = ScreenProbe(Outer(middle: Middle(trip: trip)))
    probe.send(.to(.term("b")))
    probe.send(.to(.submit))
    responses.reply(.failure(Busy(.seconds(2))))
    probe.settle()
    #expect(
      probe.activity.alerts.map { "\($0.name)" } == ["middle.trip.destination.search"])
    probe.advance(by: .seconds(2))
    #expect(responses.waiting == ["b"])
  }

  @Test func `loads of parts carry their path and are tried again by themselves`() {
    let responses = PendingResponses<String, [String]>()
    let trip = Trip(search: Search { try await responses.next(for: $0) })
    let probe = ScreenProbe(trip)
    for (event, term) in [(Trip.Event.from, "a"), (Trip.Event.to, "b")] {
      probe.send(event(.term(term)))
      probe.send(event(.submit))
    }
    responses.reply(.failure(Busy(.seconds(5))))
    responses.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    let alerts = { probe.activity.alerts.map { "\($0.name)" } }
    #expect(alerts() == ["from.search", "destination.search"])
    probe.advance(by: .seconds(3))
    #expect(responses.waiting == ["b"], "its part tries again")
    #expect(alerts() == ["from.search"])
    probe.dismiss(probe.activity.alerts[0].id)
    #expect(alerts() == [])
    responses.reply(.success(["B"]))
    probe.advance(by: .seconds(10))
    #expect(probe.state.to.items == ["B"])
    #expect(responses.requested == ["a", "b", "b"], "a dismissed part is not changed")
  }

  @Test func `a part with its parent's state begins, loads and is tried again`() {
    struct Wrapper: Screen {
      enum Event { case search(Search<String>.Event) }
      let search: Search<String>
      var initial: Search<String>.State { search.initial }
      var parts: [Part<Search<String>.State, Event>] { [Part(\.self, search, event: Event.search)] }
      func handle(
        _ event: Event, _ state: inout Search<String>.State,
        _ work: inout Work<Search<String>.State>
      ) {
        guard case .search(let event) = event else { return }
        work.scope(\.self) { search.handle(event, &state, &$0) }
      }
    }
    let responses = PendingResponses<String, [String]>()
    let search = Search(text: "a") { try await responses.next(for: $0) }
    let probe = ScreenProbe(Wrapper(search: search))
    probe.resume()
    probe.settle()
    #expect(responses.waiting == ["a"])
    responses.reply(.failure(Busy(.seconds(2))))
    probe.settle()
    #expect(probe.activity.alerts.map { "\($0.name)" } == ["search"], "named as without a parent")
    probe.advance(by: .seconds(2))
    #expect(responses.waiting == ["a"])
    probe.send(.search(.clear))
    responses.reply(.success(["late"]))
    probe.settle()
    #expect(probe.state == Search<String>.State())
  }
}
