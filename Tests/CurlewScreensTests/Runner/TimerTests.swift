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

  @Test func `timer changes the state when its time has passed`() {
    probe.send(.timer("a", .seconds(1), 1))
    probe.advance(by: .milliseconds(999))
    #expect(probe.state == [])
    probe.advance(by: .milliseconds(1))
    #expect(probe.state == [1])
    probe.advance(by: .seconds(10))
    #expect(probe.state == [1])
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `new timer replaces the one of its name`() {
    probe.send(.timer("a", .seconds(1), 1))
    probe.advance(by: .milliseconds(900))
    probe.send(.timer("a", .seconds(1), 2))
    probe.advance(by: .milliseconds(900))
    #expect(probe.state == [])
    probe.send(.timer("a", .milliseconds(10), 3))
    probe.advance(by: .milliseconds(10))
    #expect(probe.state == [3])
    probe.advance(by: .seconds(10))
    #expect(probe.state == [3])
  }

  @Test func `timers of different names go side by side`() {
    probe.send(.timer("a", .seconds(2), 1))
    probe.send(.timer("b", .seconds(1), 2))
    probe.send(.cancel("c"))
    probe.advance(by: .seconds(2))
    #expect(probe.state == [2, 1])
  }

  @Test func `timer is cancelled by its name`() {
    probe.send(.timer("a", .seconds(1), 1))
    probe.send(.timer("b", .seconds(1), 2))
    probe.send(.cancel("a"))
    #expect(probe.clock.sleepers == 1)
    probe.advance(by: .seconds(5))
    #expect(probe.state == [2])
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

  @Test func `suspended timer goes off when it is resumed`() {
    probe.send(.timer("a", .seconds(1), 1))
    probe.send(.timer("b", .seconds(9), 2))
    probe.runner.suspend()
    probe.advance(by: .seconds(5))
    #expect(probe.state == [])
    probe.runner.resume()
    probe.settle()
    #expect(probe.state == [1])
    probe.advance(by: .seconds(4))
    #expect(probe.state == [1, 2])
  }

  @Test func `stopped timer never goes off`() {
    probe.send(.timer("a", .seconds(1), 1))
    probe.runner.stop()
    probe.advance(by: .seconds(5))
    #expect(probe.state == [])
    #expect(probe.clock.sleepers == 0)
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
