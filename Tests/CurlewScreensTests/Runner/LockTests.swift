import CurlewScreens
import CurlewTesting
import Foundation
import Synchronization
import Testing

/// Foreign code runs outside the runner's lock.
@Suite(.timeLimit(.minutes(1)))
struct LockTests {
  /// Loads until it is cancelled, and reports the cancellation.
  struct Loader: Screen {
    enum Event { case load, later, stop, note, hold(Token) }

    struct State: Equatable {
      var notes = 0
      var token: Token?
    }

    let calls: Calls
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .note: state.notes += 1
      case .stop:
        state.token = nil
        work.cancel("load")
      case .hold(let token): state.token = token
      case .later:
        work.latest("load", after: .seconds(1)) {
        } finished: { [token = Token(calls)] _, _, _ in
          withExtendedLifetime(token) {}
        }
      case .load:
        work.latest("load") { [calls] in
          let (forever, _) = AsyncStream<Void>.makeStream()
          await withTaskCancellationHandler {
            for await _ in forever {}
          } onCancel: {
            calls.runner?.send(.note)
          }
        } finished: { [token = Token(calls)] _, _, _ in
          withExtendedLifetime(token) {}
        }
      }
    }
  }

  /// Gives foreign code access to the runner.
  final class Calls: Sendable {
    private let weakly = Mutex<Weak?>(nil)
    var runner: Runner<Loader>? {
      get { weakly.withLock { $0?.runner } }
      set { weakly.withLock { $0 = newValue.map { Weak($0) } } }
    }

    struct Weak: Sendable {
      weak let runner: Runner<Loader>?
      init(_ runner: Runner<Loader>) { self.runner = runner }
    }
  }

  /// Sends an event and reads the state when it is released.
  final class Token: Sendable, Equatable {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }
    static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
    deinit {
      calls.runner?.send(.note)
      _ = calls.runner?.state
    }
  }

  let calls = Calls()
  let probe: ScreenProbe<Loader>

  init() {
    probe = ScreenProbe(Loader(calls: calls))
    calls.runner = probe.runner
  }

  @Test func `cancelled work may call the runner`() {
    probe.send(.load)
    probe.send(.stop)
    #expect(probe.state.notes == 2, "once for the task, once for the closure")
    probe.send(.load)
    probe.send(.load)
    #expect(probe.state.notes == 4)
    probe.runner.suspend()
    #expect(probe.state.notes == 5)
    probe.runner.resume()
    probe.settle()
    #expect(probe.runner.isWorking)
  }

  @Test func `released closure may call the runner`() {
    probe.send(.later)
    probe.send(.stop)
    #expect(probe.state.notes == 1)
    probe.send(.later)
    probe.send(.later)
    #expect(probe.state.notes == 2)
    probe.runner.stop()
  }

  @Test func `released state may call the runner`() {
    // A probe would keep all states.
    let runner = Runner(Loader(calls: calls))
    calls.runner = runner
    runner.send(.hold(Token(calls)))
    runner.send(.stop)
    #expect(runner.state.notes == 1)
  }

  @Test func `observer may send events`() {
    struct Echo: Screen {
      let initial = 0
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) { state += event }
    }
    let seen = Mutex<[String]>([])
    let relay = Mutex<Runner<Echo>?>(nil)
    let runner = Runner(
      Echo(),
      observer: { _, record in
        seen.withLock { $0.append("\(record)") }
        if case .event(1) = record { relay.withLock { $0 }?.send(10) }
      })
    relay.withLock { $0 = runner }
    runner.send(1)
    relay.withLock { $0 = nil }
    #expect(runner.state == 11)
    #expect(
      seen.withLock { $0 } == ["event(1)", "state(1)", "event(10)", "state(11)"], "in their order")
  }

  @Test func `errors text may call the runner`() {
    struct Curious: Error, CustomStringConvertible {
      let calls: Calls
      var description: String { "\(calls.runner?.state.notes ?? -1) notes" }
    }
    let (calls, failed) = (calls, Count())
    struct Failing: Screen {
      let fail: @Sendable () throws -> Void
      let failed: Count
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
        work.latest("fail") { [fail] in
          try fail()
        } finished: { [failed] _, _, _ in
          failed.add()
        }
      }
    }
    let probe = ScreenProbe(Failing(fail: { throw Curious(calls: calls) }, failed: failed))
    probe.send(())
    #expect(failed.value == 1)
    #expect(probe.steps.last == .finished(error: "0 notes"))
  }

  @Test func `screen that reads its own runner stops with its name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Caller: Screen {
        let calls: Box
        let initial = 0
        func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
          state = calls.runner.withLock { $0 }?.state ?? 0
        }
      }
      final class Box: Sendable {
        let runner = Mutex<Runner<Caller>?>(nil)
      }
      let box = Box()
      let runner = Runner(Caller(calls: box))
      box.runner.withLock { $0 = runner }
      runner.send(())
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Caller read its own runner while it was changing its state."))
  }

  @Test func `other threads wait for each other`() async {
    struct Counter: Screen {
      let initial = 0
      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) { state += 1 }
    }
    let runner = Runner(Counter())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { @concurrent in for _ in 0..<500 { runner.send(()) } }
      }
    }
    #expect(runner.state == 4_000)
  }
}
