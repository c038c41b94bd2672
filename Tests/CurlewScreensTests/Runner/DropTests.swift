import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Screens that are released while they work.
@Suite(.timeLimit(.minutes(2)))
struct DropTests {
  /// Counts its living instances.
  final class Token: Sendable, Equatable {
    let alive: Count
    init(_ alive: Count) {
      self.alive = alive
      alive.add()
    }
    deinit { alive.add(-1) }
    static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
  }

  /// Starts every kind of work, and ends none.
  struct Busy: Screen {
    enum Event { case work, add, remove }

    struct Row: Equatable, Identifiable {
      let id: Int
      let token: Token
    }

    struct State: Equatable {
      let token: Token
      var rows: [Row] = []
    }

    let alive: Count
    var initial: State { State(token: Token(alive)) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .add: state.rows.append(Row(id: state.rows.count, token: Token(alive)))
      case .remove: state.rows.removeAll()
      case .work:
        start(&work)
        for id in state.rows.map(\.id) {
          work.scope(each: \.rows, id: id, &state) { start(&$1) }
        }
      }
    }

    private func start<Part>(_ work: inout Work<Part>) {
      let token = Token(alive)
      work.latest("load") {
        try await Task.sleep(for: .seconds(3_600))
        withExtendedLifetime(token) {}
      } finished: { _, _, _ in
        withExtendedLifetime(token) {}
      }
      work.latest("later", after: .seconds(3_600)) {
        withExtendedLifetime(token) {}
      } finished: { _, _, _ in
      }
      work.follow("listen", continuesWhileSuspended: true) {
        AsyncStream<Token> { continuation in continuation.yield(token) }
      } each: { _, _, work in
        work.timer("listened", after: .seconds(3_600)) { _, _ in withExtendedLifetime(token) {} }
      }
      work.timer("tick", after: .seconds(3_600)) { _, _ in withExtendedLifetime(token) {} }
      work.write("write") {
        await Task.yield()
        withExtendedLifetime(token) {}
      } finished: { _, _, _ in
        withExtendedLifetime(token) {}
      }
    }
  }

  @Test(arguments: [false, true])
  func `thousand screens leave nothing behind`(isStopped: Bool) async {
    let alive = Count()
    let writes = PendingWork()
    for _ in 0..<Fuzz.size(2, full: 20) {
      let runners = (0..<500).map { _ in Runner(Busy(alive: alive), writes: writes) }
      for runner in runners {
        for event in [Busy.Event.add, .work, .work] { runner.send(event) }
        if isStopped { runner.stop() }
      }
    }
    await writes.finished()
    await eventually { alive.value == 0 }
    #expect(alive.value == 0)
    #expect(writes.count == 0)
  }

  @Test func `parts that go leave nothing behind`() async {
    let alive = Count()
    let runner = Runner(Busy(alive: alive))
    runner.send(.work)
    await runner.writes.finished()
    let before = alive.value
    for _ in 0..<200 {
      for event in [Busy.Event.add, .add, .work, .remove] { runner.send(event) }
    }
    await runner.writes.finished()
    await eventually { alive.value <= before }
    #expect(alive.value == before)
  }
}
