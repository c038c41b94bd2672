import CurlewScreens
import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimerTests {
  /// Sets timers, each of which adds its number to the state.
  struct Alarm: Screen {
    enum Event { case timer(WorkID, Duration, Int), cancel(WorkID), work }
    let responses = PendingResponses<Int, Int>()
    var initial: [Int] { [] }

    func handle(_ event: Event, _ state: inout [Int], _ work: inout Work<[Int]>) {
      switch event {
      case .timer(let name, let delay, let number):
        work.timer(name, after: delay) { state, _ in state.append(number) }
      case .cancel(let name): work.cancel(name)
      case .work:
        work.latest("work") { [responses] in
          try await responses.next(for: 0)
        } finished: { state, _, _ in
          state.append(0)
        }
      }
    }
  }

  let screen = Alarm()
  let probe: ScreenProbe<Alarm>

  init() {
    probe = ScreenProbe(screen)
  }

  /// Words: `set a 1000` sets the timer a, which adds the number of milliseconds; `cancel a`, `suspend`, `resume`, `stop`,
  /// `wait 500`; expected are the numbers of timers that have `fired`, and the `sleepers`.
  private func perform(_ word: String, _ words: [String]) throws -> String? {
    func number(_ index: Int) throws -> Int { try #require(Int(words[index])) }
    switch word {
    case "set":
      let delay = try number(1)
      probe.send(.timer("\(words[0])", .milliseconds(delay), delay))
    case "cancel": probe.send(.cancel("\(words[0])"))
    case "suspend": probe.suspend()
    case "resume": probe.resume()
    case "stop": probe.runner.stop()
    case "wait": probe.advance(by: .milliseconds(try number(0)))
    case "fired":
      return probe.state.isEmpty
        ? "nothing" : probe.state.map { "\($0)" }.joined(separator: " ")
    case "sleepers": return "\(probe.clock.sleepers)"
    default: throw Scenario.UnknownWord(step: word)
    }
    return nil
  }

  private static let scenarios = Scenario.all(
    """
    a timer changes the state when its time has passed
      set a 1000; wait 999; fired nothing; wait 1; fired 1000; wait 10000; fired 1000; sleepers 0
    a new timer replaces the one of its name
      set a 1000; wait 900; set a 1001; wait 900; fired nothing; set a 10; wait 10; fired 10
      wait 10000; fired 10
    timers of different names go side by side
      set a 2000; set b 1000; cancel c; wait 2000; fired 1000 2000
    a timer is cancelled by its name
      set a 1000; set b 1001; cancel a; sleepers 1; wait 5000; fired 1001
    a suspended timer fires when it is resumed
      set a 1000; set b 9000; suspend; wait 5000; fired nothing; resume; fired 1000
      wait 4000; fired 1000 9000
    a stopped timer never fires
      set a 1000; stop; wait 5000; fired nothing; sleepers 0
    """)

  @Test(arguments: scenarios) func `a timer fires as its scenario says`(scenario: Scenario) throws {
    try scenario.run(perform)
  }

  @Test func `timer is no work`() {
    probe.send(.timer("a", .seconds(1), 1))
    #expect(!probe.runner.isWorking)
    probe.send(.work)
    #expect(probe.runner.isWorking)
    probe.advance(by: .seconds(1))
    #expect(probe.runner.isWorking)
    screen.responses.reply(.success(1))
    probe.settle()
    #expect(!probe.runner.isWorking)
  }

  @Test func `work that takes a timer's name is work`() {
    struct Mixed: Screen {
      var initial: Int { 0 }
      func handle(_ event: Bool, _ state: inout Int, _ work: inout Work<Int>) {
        if event {
          work.timer("a", after: .zero) { state, _ in state = 1 }
        } else {
          work.latest("a", after: .seconds(1)) {
          } finished: { state, _, _ in
            state = 2
          }
        }
      }
    }
    let probe = ScreenProbe(Mixed())
    probe.runner.send(true)
    probe.runner.send(false)
    #expect(probe.runner.isWorking)
    probe.advance(by: .seconds(1))
    #expect(probe.state == 2)
  }

  @Test func `states for events wait for timers at their end`() async {
    let clock = TestClock()
    let events = AsyncStream<Alarm.Event> { continuation in
      continuation.yield(.timer("a", .seconds(60), 1))
      continuation.finish()
    }
    let last = Task {
      var last: [Int]?
      for await state in Alarm().states(for: events, clock: clock) { last = state }
      return last
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await last.value == [1])
  }
}
