import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Writes: called exactly once, never cancelled, in order.
@Suite(.timeLimit(.minutes(1)))
struct WriteTests {
  struct Notes: Screen {
    enum Event { case save(String), saveIn(String, WorkID), edit(String), cancel, then(String) }

    struct State: Equatable {
      var shown: [String] = []
      var saved: [String] = []
      var failed: [String] = []
    }

    let responses = PendingResponses<String, Void>()
    let edits = Shared<[String]>([])
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .save(let note): save(note, "save", &work)
      case .saveIn(let note, let queue): save(note, queue, &work)
      case .edit(let note):
        work.write("edit") { [edits] in
          edits.update { $0.append(note) }
        } _: { [responses] in
          try await responses.next(for: note)
        } finished: { state, _, _ in
          state.saved.append(note)
        }
      case .cancel: work.cancel("save")
      case .then(let note):
        work.write("save") { [responses] in
          try await responses.next(for: note)
        } finished: { state, _, work in
          save("after " + note, "save", &work)
        }
      }
    }

    private func save(_ note: String, _ queue: WorkID, _ work: inout Work<State>) {
      work.write(queue) { [responses] in
        try await responses.next(for: note)
      } started: { state in
        state.shown.append(note)
      } finished: { state, result, _ in
        switch result {
        case .success: state.saved.append(note)
        case .failure:
          state.failed.append(note)
          state.shown.removeAll { $0 == note }
        }
      }
    }
  }

  let screen = Notes()
  let probe: ScreenProbe<Notes>

  init() {
    probe = ScreenProbe(screen)
  }

  func reply(_ result: Result<Void, any Error> = .success(())) {
    screen.responses.reply(result)
    probe.settle()
  }

  @Test func `a source that has edits of its own begins them in order, and is not queued`() {
    let notes = Notes()
    let probe = ScreenProbe(notes)
    probe.send(.edit("a"))
    #expect(notes.edits.value == ["a"])
    probe.send(.edit("b"))
    #expect(notes.edits.value == ["a", "b"])
    #expect(notes.responses.requested == ["a", "b"])
    notes.responses.reply(.success(()), to: 1)
    probe.settle()
    #expect(probe.state.saved == ["b"])

    let runner = Runner(notes)
    runner.send(.edit("c"))
    #expect(notes.edits.value == ["a", "b", "c"], "before `send` returns")
  }

  @Test func `write shows at once and is rolled back when it fails`() {
    probe.send(.save("a"))
    #expect(probe.state.shown == ["a"])
    #expect(probe.runner.isWorking)
    reply(.failure(Broken()))
    #expect(probe.state == .init(failed: ["a"]))
    #expect(!probe.runner.isWorking)
  }

  @Test func `writes with one name queue in order`() {
    for note in ["a", "b", "c"] { probe.send(.save(note)) }
    #expect(probe.state.shown == ["a", "b", "c"])
    #expect(screen.responses.requested == ["a"])
    reply()
    #expect(screen.responses.requested == ["a", "b"])
    reply(.failure(Broken()))
    reply()
    #expect(probe.state == .init(shown: ["a", "c"], saved: ["a", "c"], failed: ["b"]))
  }

  @Test func `writes with different names run beside each other`() {
    probe.send(.saveIn("a", "one"))
    probe.send(.saveIn("b", "two"))
    #expect(screen.responses.waiting == ["a", "b"])
  }

  @Test func `write in flight is not sent again when the view returns`() {
    probe.send(.save("a"))
    probe.suspend()
    #expect(screen.responses.waiting == ["a"])
    probe.send(.save("b"))
    probe.resume()
    #expect(screen.responses.requested == ["a"])
    probe.suspend()
    reply()
    #expect(probe.state.saved == ["a"], "its result counts without a view")
    reply()
    #expect(screen.responses.requested == ["a", "b"])
    #expect(probe.state.saved == ["a", "b"])
  }

  @MainActor
  @Test func `post in flight when the view goes is sent once`() async {
    let screen = Notes()
    let writes = PendingWork()
    let model = ScreenModel(screen, writes: writes)
    let view = Task { await model.run() }
    model.send(.save("a"))
    await eventually { !screen.responses.waiting.isEmpty }
    view.cancel()
    await view.value
    let again = Task { await model.run() }
    model.send(.save("b"))
    screen.responses.reply(.success(()))
    await eventually { screen.responses.requested.count == 2 }
    #expect(screen.responses.requested == ["a", "b"])
    #expect(model.state.saved == ["a"])
    #expect(model.isWorking)
    screen.responses.reply(.success(()))
    await writes.finished()
    #expect(model.state.saved == ["a", "b"])
    #expect(!model.isWorking)
    again.cancel()
    await again.value
  }

  @Test func `cancel does not reach a write`() {
    probe.send(.save("a"))
    probe.send(.cancel)
    reply()
    #expect(probe.state.saved == ["a"])
  }

  @Test func `queue is carried to its end without the runner`() async {
    let screen = Notes()
    let writes = PendingWork()
    var runner: Runner? = Runner(screen, writes: writes)
    for note in ["a", "b", "c"] { runner?.send(.save(note)) }
    runner = nil
    #expect(writes.count == 3)
    for count in 1...3 {
      await eventually { screen.responses.requested.count == count }
      screen.responses.reply(.success(()))
    }
    await writes.finished()
    #expect(screen.responses.requested == ["a", "b", "c"])
    #expect(writes.count == 0)
  }

  @Test func `stopped runner finishes its writes and changes nothing`() {
    probe.send(.save("a"))
    probe.send(.save("b"))
    probe.runner.stop()
    let states = probe.states.count
    reply()
    reply()
    #expect(screen.responses.requested == ["a", "b"])
    #expect(probe.states.count == states)
    #expect(probe.runner.writes.count == 0)
    #expect(!probe.runner.isWorking)
  }

  @Test func `result of a write may start another`() {
    probe.send(.then("a"))
    probe.send(.save("b"))
    reply()
    #expect(screen.responses.requested == ["a", "b"])
    reply()
    #expect(screen.responses.requested == ["a", "b", "after a"])
    reply()
    #expect(probe.state.saved == ["b", "after a"])
  }

  @Test func `thousand writes in one queue end in order`() async {
    struct Counter: Screen {
      let log: Mutexed
      let initial = 0
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        work.write("count") { [log] in
          await Task.yield()
          log.numbers.withLock { $0.append(event) }
        } finished: { state, _, _ in
          state += 1
        }
      }
    }
    let log = Mutexed()
    let runner = Runner(Counter(log: log))
    for number in 0..<1_000 { runner.send(number) }
    await runner.writes.finished()
    #expect(log.numbers.withLock { $0 } == Array(0..<1_000))
    #expect(runner.state == 1_000)
  }

  final class Mutexed: Sendable {
    let numbers = Mutex<[Int]>([])
  }
}
