import CurlewScreens
import CurlewTesting
import Testing

/// A screen's functions called without a runner, and the events of its results.
@Suite(.timeLimit(.minutes(1)))
struct WorkTests {
  @Test func `screen is tested by calling it`() {
    let search = Search<String> { [$0] }
    var (state, work) = (search.initial, Work<Search<String>.State>())
    search.handle(.term("a"), &state, &work)
    #expect(state.text == "a")
    #expect(work.started == [.search])
    search.handle(.term(""), &state, &work)
    #expect(work.cancelled == [.search])
    #expect(work.routes.isEmpty)
  }

  @Test func `work of parts carries their names`() {
    struct State: Equatable {
      var left = Search<String>.State()
      var rows = [Entry(7)]
      var sheet: Entry? = Entry(8)
    }
    var (state, work) = (State(), Work<State>())
    work.scope(\.left, named: "from") { Search { [$0] }.handle(.term("a"), &state.left, &$0) }
    work.scope(each: \.rows, id: 7, &state) { row, work in
      row.text = "changed"
      work.latest("load") {
      } finished: { _, _, _ in
      }
    }
    work.scope(presented: \.sheet, &state) { _, work in work.cancel("load") }
    work.scope(each: \.rows, id: 9, &state) { _, work in work.cancel("nobody's") }
    #expect(work.started.map(\.description) == ["from.search", "rows[7].load"])
    #expect(work.cancelled.map(\.description) == ["sheet[8].load"])
    #expect(state.rows == [Entry(7, "changed")])
  }

  /// Loads a number, and then that many more numbers.
  struct Chain: Screen {
    enum Event { case ask, wait, atOnce }
    let responses = PendingResponses<Int, Int>()
    let initial: [Int] = []

    func handle(_ event: Event, _ state: inout [Int], _ work: inout Work<[Int]>) {
      switch event {
      case .ask: ask(0, &work)
      case .wait:
        work.timer("wait", after: .seconds(1)) { state, work in
          state.append(-1)
          work.timer("wait", after: .seconds(1)) { state, _ in state.append(-2) }
        }
      case .atOnce:
        work.timer("now", after: .zero) { state, work in
          state.append(-3)
          work.timer("now", after: .zero) { state, _ in state.append(-4) }
        }
      }
    }

    private func ask(_ number: Int, _ work: inout Work<[Int]>) {
      work.latest("ask") { [responses] in
        try await responses.next(for: number)
      } finished: { state, result, work in
        guard case .success(let next) = result else { return }
        state.append(next)
        if next > number { ask(next, &work) }
      }
    }
  }

  @Test func `result leads to more work under the same name`() {
    let screen = Chain()
    let probe = ScreenProbe(screen)
    probe.send(.ask)
    for next in [1, 2, 0] {
      screen.responses.reply(.success(next))
      probe.settle()
    }
    #expect(screen.responses.requested == [0, 1, 2])
    #expect(probe.state == [1, 2, 0])
    #expect(!probe.runner.isWorking)
  }

  @Test func `timer leads to more work`() {
    let probe = ScreenProbe(Chain())
    probe.send(.wait)
    probe.advance(by: .seconds(2))
    #expect(probe.state == [-1, -2])
    probe.send(.atOnce)
    #expect(probe.state == [-1, -2, -3, -4])
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `many timers may go off at once`() async {
    struct Late: Screen {
      let initial = 0
      func handle(_ event: Duration, _ state: inout Int, _ work: inout Work<Int>) {
        for number in 1...300 {
          work.timer("timer \(number)", after: event) { state, work in
            state += 1
            work.latest("load \(number)") {
            } finished: { state, _, _ in
              state += 1_000
            }
          }
        }
      }
    }
    for delay in [Duration.zero, .seconds(-9), .nanoseconds(1)] {
      let probe = ScreenProbe(Late())
      let sent = probe.send(delay)
      probe.advance(by: .seconds(1))
      #expect(probe.state == 300_300)
      await sent.finished()
    }
  }

  @Test func `delay may be as long as it wants`() async {
    struct Patient: Screen {
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
        work.timer("wait", after: .seconds(Int64.max)) { state, _ in state = 1 }
        work.latest("load", after: .seconds(Int64.max)) {
        } finished: { _, _, _ in
        }
        work.write("write") {
        } finished: { state, _, _ in
          state = 2
        }
      }
    }
    let runner = Runner(Patient())
    runner.send(())
    await runner.writes.finished()
    #expect(runner.state == 2)
    #expect(runner.isWorking)
  }

  @Test func `timer without a delay that never rests is named`() async {
    struct Spinning: Screen {
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) { spin(&work) }
      func spin(_ work: inout Work<Int>) {
        work.timer("spin", after: .zero) { _, work in spin(&work) }
      }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ScreenProbe(Spinning()).send(())
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Spinning loops forever: its timer spin has no delay"))
  }
}
