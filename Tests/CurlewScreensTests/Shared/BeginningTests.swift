import CurlewScreens
import Dispatch
import Synchronization
import Testing

/// The order of a write's `begin` and its operation, which may run on other threads.
@Suite(.timeLimit(.minutes(1)))
struct BeginningTests {
  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
    let hasStarted = DispatchSemaphore(value: 0)

    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Two: Screen {
    let log: Log

    var initial: Int { 0 }

    func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
      // Blocks the sending thread, so that the other write's task runs first.
      work.write("one", begin: { [log] in _ = log.hasStarted.wait(timeout: .now() + 20) }) {}
      work.write("two", begin: { [log] in log.add("begin") }) { [log] in
        log.add("operation")
        log.hasStarted.signal()
      }
    }
  }

  @Test func `an operation never precedes its own beginning`() async {
    let log = Log()
    let runner = Runner(Two(log: log))
    let sent = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: runner.send(())) }
    }
    await sent.finished()
    #expect(log.lines.withLock { $0 } == ["begin", "operation"])
  }

  @Test func `an edit whose write fails at once is taken away`() async {
    struct Refusal: Error {}
    struct Editing: Screen {
      let shared: Shared<Int>

      var initial: Int { 0 }

      func handle(_ event: Void, _ state: inout Int, _ work: inout Work<Int>) {
        work.write("edit", editing: shared) {
          $0 += 1
        } operation: {
          throw Refusal()
        }
      }
    }

    let shared = Shared(0)
    let runner = Runner(Editing(shared: shared))
    for _ in 0..<2_000 { await runner.send(()).finished() }
    #expect(shared.value == 0)
  }
}
