import CurlewScreens
import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RunnerTests {
  /// Adds numbers from events and from loads.
  struct Adder: Screen {
    enum Event { case add(Int), ask(String), pause(Duration), forget }
    let responses = PendingResponses<String, Int>()
    var initial: Int { 0 }

    func handle(_ event: Event, _ state: inout Int, _ work: inout Work<Int>) {
      switch event {
      case .add(let number): state += number
      case .forget: work.cancel("ask")
      case .ask(let name):
        work.latest("ask") { [responses] in
          try await responses.next(for: name)
        } finished: { state, result, _ in
          state += (try? result.get()) ?? -1
        }
      case .pause(let time):
        work.latest("pause", after: time) {
        } finished: { state, _, _ in
          state += 1_000
        }
      }
    }
  }

  @Test func `send applies the event before it returns`() {
    let runner = Runner(Adder())
    runner.send(.add(2))
    #expect(runner.state == 2)
    runner.send(.add(3))
    #expect(runner.state == 5)
  }

  @Test func `work under different names runs side by side`() {
    let screen = Adder()
    let probe = ScreenProbe(screen)
    probe.send(.ask("a"))
    probe.send(.pause(.seconds(1)))
    probe.advance(by: .seconds(1))
    #expect(probe.state == 1_000)
    screen.responses.reply(.success(7))
    probe.settle()
    #expect(probe.state == 1_007)
    #expect(!probe.runner.isWorking)
  }

  @Test func `cancelled work can not reply`() {
    let screen = Adder()
    let probe = ScreenProbe(screen)
    probe.send(.ask("a"))
    probe.send(.forget)
    screen.responses.reply(.success(7))
    probe.settle()
    #expect(probe.states == [0])
  }

  @Test func `shorter wait is not held up by the longer one it replaces`() {
    let probe = ScreenProbe(Adder())
    probe.send(.pause(.seconds(10)))
    probe.send(.pause(.seconds(1)))
    probe.advance(by: .seconds(1))
    #expect(probe.state == 1_000)
    probe.advance(by: .seconds(20))
    #expect(probe.state == 1_000)
  }

  @Test func `suspended work begins anew when resumed`() {
    let screen = Adder()
    let probe = ScreenProbe(screen)
    probe.send(.ask("a"))
    probe.send(.pause(.seconds(1)))
    probe.runner.suspend()
    screen.responses.reply(.success(5))
    probe.advance(by: .seconds(5))
    #expect(probe.states == [0])
    probe.runner.resume()
    probe.settle()
    #expect(screen.responses.requested == ["a", "a"])
    #expect(probe.state == 1_000)
    screen.responses.reply(.success(7))
    probe.settle()
    #expect(probe.state == 1_007)
  }
}
