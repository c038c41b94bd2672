import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Waiting for the work of an event, and for a screen to become idle.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
  struct Steps: Screen {
    enum Event {
      case chain, load(String), stop, write(String), timer, listen, nothing, later, same
    }

    let responses = PendingResponses<String, String>()
    let initial: [String] = []

    func handle(_ event: Event, _ state: inout [String], _ work: inout Work<[String]>) {
      switch event {
      case .nothing: break
      case .stop: work.cancel("load")
      case .load(let name): load(name, &work)
      case .later:
        work.latest("load", after: .seconds(1)) { [responses] in
          try await responses.next(for: "later")
        } finished: { state, _, _ in
          state.append("later")
        }
      case .chain:
        work.latest("a") { [responses] in
          try await responses.next(for: "a")
        } finished: { [responses] state, _, work in
          state.append("a")
          work.latest("b") {
            try await responses.next(for: "b")
          } finished: { state, _, _ in
            state.append("b")
          }
        }
      case .write(let name):
        work.write("write") { [responses] in
          try await responses.next(for: name)
        } finished: { state, _, _ in
          state.append(name)
        }
      case .timer: work.timer("timer", after: .seconds(9)) { state, _ in state.append("timer") }
      case .listen:
        work.follow("listen") {
          AsyncStream<String> { _ in }
        } each: { state, word, _ in
          state.append(word)
        }
      case .same:
        work.latest("same") { [responses] in
          try await responses.next(for: "same")
        } finished: { _, _, _ in
        }
      }
    }

    private func load(_ name: String, _ work: inout Work<[String]>) {
      work.latest("load") { [responses] in
        try await responses.next(for: name)
      } finished: { state, _, _ in
        state.append(name)
      }
    }
  }

  let screen = Steps()
  let probe: ScreenProbe<Steps>

  init() {
    probe = ScreenProbe(screen)
  }

  func reply() {
    screen.responses.reply(.success(""))
    probe.settle()
  }

  /// Waits for an event on the probe's executor; returns the task and whether the wait is over.
  func waiter(for sent: PendingWork) -> (task: Task<Void, Never>, isOver: () -> Bool) {
    let over = Count()
    let task = Task(executorPreference: probe.executor) {
      await sent.finished()
      over.add()
    }
    probe.settle()
    return (task, { over.value == 1 })
  }

  @Test func `event with its chain is awaited`() {
    let (_, isOver) = waiter(for: probe.send(.chain))
    #expect(!isOver())
    reply()
    #expect(!isOver(), "the result started more")
    reply()
    #expect(isOver())
    #expect(probe.state == ["a", "b"])
  }

  @Test(arguments: [Steps.Event.nothing, .timer, .listen])
  func `only loads and writes are awaited`(event: Steps.Event) {
    #expect(waiter(for: probe.send(event)).isOver())
  }

  @Test func `replaced load is finished`() {
    let first = waiter(for: probe.send(.load("1")))
    let second = waiter(for: probe.send(.load("2")))
    #expect(first.isOver())
    #expect(!second.isOver())
    reply()
    #expect(!second.isOver(), "the reply was the first one's")
    reply()
    #expect(second.isOver())
    #expect(probe.state == ["2"])
  }

  @Test func `load that waits is awaited and replaced by the next one that waits`() {
    let first = waiter(for: probe.send(.later))
    #expect(!first.isOver())
    let second = waiter(for: probe.send(.later))
    #expect(first.isOver())
    probe.advance(by: .seconds(1))
    reply()
    #expect(second.isOver())
  }

  @Test func `cancelled load is finished`() {
    let (_, isOver) = waiter(for: probe.send(.load("1")))
    probe.send(.stop)
    probe.settle()
    #expect(isOver())
  }

  @Test func `suspended load is awaited until it has run again`() {
    let (_, isOver) = waiter(for: probe.send(.load("1")))
    probe.runner.suspend()
    reply()
    #expect(!isOver())
    probe.runner.resume()
    probe.settle()
    reply()
    #expect(isOver())
  }

  @Test func `write in a queue is awaited`() {
    let first = waiter(for: probe.send(.write("1")))
    let second = waiter(for: probe.send(.write("2")))
    reply()
    #expect(first.isOver() && !second.isOver())
    reply()
    #expect(second.isOver())
  }

  @Test func `ending the wait cancels no work`() {
    let (task, isOver) = waiter(for: probe.send(.load("1")))
    task.cancel()
    probe.settle()
    #expect(isOver())
    reply()
    #expect(probe.state == ["1"])
  }

  @Test func `stopped runner ends the wait for loads only`() {
    let load = waiter(for: probe.send(.load("1")))
    let write = waiter(for: probe.send(.write("2")))
    probe.runner.stop()
    probe.settle()
    #expect(load.isOver())
    #expect(!write.isOver())
    screen.responses.reply(.success(""), to: 1)
    probe.settle()
    #expect(write.isOver())
  }

  @Test func `dropped runner ends the wait`() async {
    var runner: Runner? = Runner(Steps())
    let sent = runner?.send(.load("1"))
    runner = nil
    await sent?.finished()
  }

  /// A wait ends only after all notifications, on any thread.
  @Test func `who waited finds nothing counted`() async {
    let screen = Steps()
    let runner = Runner(screen)
    for number in 1...1_000 {
      let sent = runner.send(.write("\(number)"))
      await eventually { !screen.responses.waiting.isEmpty }
      screen.responses.reply(.success(""))
      await runner.waitUntilIdle()
      #expect(runner.writes.count == 0)
      #expect(sent.isFinished)
    }
  }

  /// Awaits an event, as `.refreshable` does.
  @MainActor
  @Test func `models event is awaited`() async {
    let screen = Steps()
    let model = ScreenModel(screen)
    let view = Task { await model.run() }
    await Task.yield()
    let refresh = Task { await model.send(.load("1")).finished() }
    await eventually { !screen.responses.waiting.isEmpty }
    screen.responses.reply(.success(""))
    await refresh.value
    #expect(model.state == ["1"])
    view.cancel()
    await view.value
  }

  // MARK: Rest

  @Test func `end of work that changes nothing is published`() async {
    let screen = Steps()
    let runner = Runner(screen)
    runner.send(.same)
    let idle = Task { await runner.waitUntilIdle() }
    await eventually { !screen.responses.waiting.isEmpty }
    #expect(runner.isWorking)
    screen.responses.reply(.success(""))
    await idle.value
    #expect(!runner.isWorking)
    #expect(runner.state == [])
  }

  @MainActor
  @Test func `model tells whether it works`() async {
    let screen = Steps()
    let model = ScreenModel(screen)
    let view = Task { await model.run() }
    model.send(.same)
    #expect(model.isWorking)
    await eventually { !screen.responses.waiting.isEmpty }
    screen.responses.reply(.success(""))
    await eventually { !model.isWorking }
    #expect(model.state == [])
    view.cancel()
    await view.value
  }

  /// Needed by a server that redirects to the screen's route.
  @Test func `route is there when the wait is over`() async {
    struct Going: Screen {
      struct Place: Route {
        let address: String
        init?(address: String) { self.address = address }
      }
      let initial = 0
      func handle(_ event: Bool, _ state: inout Int, _ work: inout Work<Int>) {
        work.latest("go") {
        } finished: { state, _, work in
          if let place = Place(address: "/") { work.go(to: place) }
        }
      }
    }
    final class Places: Navigator {
      let count = Count()
      func go(to route: any Route) { count.add() }
    }
    for number in 1...2_000 {
      let places = Places()
      let runner = Runner(Going(), navigator: places)
      let sent = runner.send(true)
      if number.isMultiple(of: 2) { await runner.waitUntilIdle() } else { await sent.finished() }
      #expect(places.count.value == 1)
    }
  }

  @Test func `what a timer without a delay starts is not awaited`() {
    struct Timing: Screen {
      let responses = PendingResponses<String, String>()
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
        work.timer("now", after: .zero) { [responses] _, work in
          work.latest("load") {
            try await responses.next(for: "")
          } finished: { _, _, _ in
          }
        }
      }
    }
    let probe = ScreenProbe(Timing())
    let sent = probe.send(())
    let over = Count()
    Task(executorPreference: probe.executor) {
      await sent.finished()
      over.add()
    }
    probe.settle()
    #expect(over.value == 1)
    #expect(probe.runner.isWorking)
  }

  @Test func `screen that listens and waits is idle`() async {
    let runner = Runner(Steps())
    runner.send(.listen)
    runner.send(.timer)
    await runner.waitUntilIdle()
    #expect(!runner.isWorking)
  }
}
