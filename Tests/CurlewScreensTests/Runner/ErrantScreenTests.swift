import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Screens that cause changes without an end, and long chains that end.
@Suite(.timeLimit(.minutes(1)))
struct ErrantScreenTests {
  struct Scripted: Screen {
    typealias Change = @Sendable (inout Int, inout Work<Int>) -> Void

    var initial = 0
    var changed: Change = { _, _ in }
    var handle: @Sendable (Int, inout Int, inout Work<Int>) -> Void = { event, state, _ in
      state = event
    }

    func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
      handle(event, &state, &work)
    }
    func stateDidChange(_ state: inout Int, _ work: inout Work<Int>) { changed(&state, &work) }
  }

  private final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private let log = Log()

  private func runner(
    _ screen: Scripted, _ errors: ScreenErrorPolicy = .endsScreen, chainLimit: Int = 10_000
  ) -> Runner<Scripted> {
    Runner(screen, errors: errors, chainLimit: chainLimit)
  }

  private func logged(_ body: () -> Void) {
    ScreenErrors.$handler.withValue({ [log] in log.add($0) }, operation: body)
  }

  @Test func `a loop ends its screen alone`() async {
    let gate = Gate()
    let screen = Scripted(changed: { state, _ in if state > 0 { state = 3 - state } }) {
      event, state, work in
      if event == 0 {
        work.write("save") {
          await gate.wait()
        } finished: { state, _, _ in
          state = 7
        }
      }
      state = event
    }
    let (errant, other) = (runner(screen), runner(screen))
    errant.send(0)
    logged { errant.send(1) }
    #expect(errant.failure.map { "\($0.error)" } == log.lines.first)
    #expect(log.lines.count == 1)
    #expect(
      log.lines.first
        == "Scripted loops forever: its stateDidChange changes the state on every call.")
    let state = errant.state
    errant.send(0)
    #expect(errant.state == state)
    // Its write goes on, without a result.
    gate.open()
    await errant.writes.finished()
    #expect(errant.state == state && !errant.isWorking)
    other.send(0)
    #expect(other.failure == nil && other.state == 0)
  }

  @Test func `a chain that never repeats is a loop at its limit`() {
    let growing = Scripted(changed: { state, _ in if state > 0 { state += 1 } })
    let (long, short) = (runner(growing), runner(growing, chainLimit: 50))
    logged {
      long.send(1)
      short.send(1)
    }
    #expect(long.failure != nil && long.state > 10_000)
    #expect(short.failure != nil && short.state < 60)
  }

  @Test func `a long chain of changes ends`() {
    let counting = Scripted(changed: { state, _ in if state > 0 { state -= 1 } })
    let runner = runner(counting, .stopsProcess)
    runner.send(5_000)
    #expect(runner.state == 0 && runner.failure == nil)
  }

  @Test func `a long chain of timers without a delay ends`() {
    @Sendable func count(_ state: inout Int, _ work: inout Work<Int>) {
      guard state > 0 else { return }
      state -= 1
      work.timer("count", after: .zero) { count(&$0, &$1) }
      work.timer("other", after: .zero) { _, _ in }
    }
    let counting = Scripted(handle: { event, state, work in
      state = event
      count(&state, &work)
    })
    let runner = runner(counting, .stopsProcess)
    runner.send(1_000)
    #expect(runner.state == 0)
  }

  @Test func `timers without a delay that never rest are a loop`() {
    @Sendable func spin(_ work: inout Work<Int>) {
      work.timer("spin", after: .zero) { spin(&$1) }
    }
    let runner = runner(Scripted(handle: { _, _, work in spin(&work) }))
    logged { runner.send(1) }
    #expect(
      log.lines == [
        "Scripted loops forever: its timer spin has no delay and starts another timer."
      ])
  }

  /// A runner that its screen knows.
  private final class Own: Sendable {
    let runner = Mutex<Runner<Scripted>?>(nil)
    func callAsFunction() -> Runner<Scripted>? { runner.withLock { $0 } }
  }

  @Test func `an event sent from within is applied next`() {
    let own = Own()
    let screen = Scripted(handle: { event, state, _ in
      if event < 5_000 { own()?.send(event + 1) }
      // Not applied yet.
      #expect(state == event - 1)
      state = event
    })
    let runner = runner(screen, .stopsProcess)
    own.runner.withLock { $0 = runner }
    runner.send(1)
    #expect(runner.state == 5_000)
    own.runner.withLock { $0 = nil }
  }

  @Test func `a screen that sends itself events for ever is ended`() {
    let own = Own()
    let runner = runner(
      Scripted(handle: { event, state, _ in
        state = event
        own()?.send(event + 1)
      }))
    own.runner.withLock { $0 = runner }
    logged { runner.send(1) }
    own.runner.withLock { $0 = nil }
    #expect(
      log.lines == ["Scripted loops forever: it sends itself an event for each event."])
    #expect(runner.state >= 10_000)
  }

  @Test func `a screen that reads its own runner is ended`() {
    let own = Own()
    let runner = runner(
      Scripted(handle: { event, state, _ in
        state = event + (own()?.state ?? 100)
      }))
    own.runner.withLock { $0 = runner }
    logged { runner.send(1) }
    own.runner.withLock { $0 = nil }
    #expect(runner.state == 1 && runner.failure != nil)
    #expect(log.lines.first?.contains("read its own runner") == true)
  }

  @MainActor
  @Test func `a model shows that its screen was ended`() {
    let model = ScreenModel(
      Scripted(changed: { state, _ in if state > 0 { state = 3 - state } }), errors: .endsScreen)
    #expect(model.failure == nil)
    logged { model.send(1) }
    #expect(model.failure?.message == UserTexts.current.somethingWrong)
  }
}
