import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The code of Exploring.md, compiled and run.
@Suite("The page about orders", .timeLimit(.minutes(1)))
struct ExploringPageTests {
  nonisolated struct NoteSearch: Screen {
    let find: @Sendable (String) async throws -> [String]
    var initial: Loadable<[String]> { .idle }

    func handle(
      _ text: String, _ state: inout Loadable<[String]>, _ work: inout Work<Loadable<[String]>>
    ) {
      work.latest("find \(text)") { [find] in
        try await find(text)
      } started: {
        $0.startLoading()
      } cancelled: {
        $0.cancelLoading()
      } finished: { state, result, _ in
        state.finishLoading(with: result)
      }
    }
  }

  @Suite(.disabled("It fails, as the page says."))
  struct FirstTest {
    @Test func `the newest notes are shown`() async {
      let notes = PendingResponses { (text: String) in ["Note about \(text)"] }
      await explore(NoteSearch { try await notes.next(for: $0) }) { probe in
        probe.send("m")
        probe.send("milk")
      }
    }
  }

  @Test func `a bug is found, and its order is on the page`() async throws {
    let page = try DocumentationTests.page("Exploring.md")
    await withKnownIssue {
      await FirstTest().`the newest notes are shown`()
    } matching: {
      let failure = $0.comments.map(\.rawValue).joined()
      return failure.hasPrefix("The result of find m") && page.contains(failure)
    }
  }

  @Test func `a trace is printed as the test on the page`() throws {
    let recorder = TraceRecorder()
    let executor = TestExecutor()
    let clock = TestClock(executor: executor)
    let screen = NoteSearch { ["Note about \($0)"] }
    let runner = Runner(
      screen, clock: clock, executor: .custom(executor), observer: recorder.observer())
    runner.send("m")
    executor.drain()
    let file = URL.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.trace.write(to: file)
    print(try Trace(file).swiftTest())
    // On the page, the screen is not part of a test.
    let test = try Trace(file).swiftTest().replacing("ExploringPageTests.", with: "")
      .replacing("import PagesTests\n", with: "")
    #expect(try DocumentationTests.page("Exploring.md").contains(test))
  }

  @Test func `events come at any time`() async {
    let notes = PendingResponses { (text: String) in ["Note about \(text)"] }
    await explore(
      Search<String> { try await notes.next(for: $0) },
      events: [.term("m"), .term("milk"), .term(""), .submit, .retry],
      checking: [.always { #expect(!$0.state.query.isEmpty || $0.state.results == .idle) }],
      steps: 4)
    await explore(
      Search<String> { try await notes.next(for: $0) },
      events: [.term("m"), .term("milk"), .term(" m ")],
      checking: [
        .model("") { text, step, probe in
          if case .event(Search<String>.Event.term(let new)) = step.kind { text = new }
          #expect(probe.state.text == text)
        }
      ], steps: 4)
  }

  @Test func `a client is explored with its screen`() async {
    nonisolated func makeProbe() -> ScreenProbe<Feed<NoteRow>> {
      let stub = StubTransport(clock: TestClock())
      stub.stub(.get, "/notes", with: .json(#"["Milk", "Mint"]"#))
      let client = Client.stubbed(by: stub)
      let list = Feed<NoteRow> { _ in
        Page(try await client.send(Request<[String]>.get("/notes")).map { NoteRow(id: $0) })
      }
      return ScreenProbe(list)
    }
    let exploration = await explore(makeProbe(), checking: [.uniqueRows(\.items)], steps: 6) {
      probe in
      probe.begin()  // what the screen loads before any event
      probe.send(.load)
      probe.send(.refresh)
    }
    #expect(exploration.requests == ["GET /notes": 5])  // the most in one order
  }

  struct Pair: Explorable {
    let left, right: ScreenProbe<NoteSearch>

    init(_ notes: PendingResponses<String, [String]>) {
      let clock = TestClock(executor: TestExecutor())
      let screen = NoteSearch { try await notes.next(for: $0) }
      left = ScreenProbe(screen, clock: clock, name: "left")
      right = ScreenProbe(screen, clock: clock, name: "right")
    }

    var state: [Loadable<[String]>] { [left.state, right.state] }
    var nextSteps: [ExplorationStep] { left.nextSteps + right.nextSteps }
    var pendingWork: String { left.pendingWork + right.pendingWork }
    func problem(isAtRest: Bool) -> String? {
      left.problem(isAtRest: isAtRest) ?? right.problem(isAtRest: isAtRest)
    }
  }

  @Test func `two screens have one clock`() async {
    let notes = PendingResponses { (text: String) in ["Note about \(text)"] }
    let exploration = await explore(Pair(notes), steps: 5) { pair in
      pair.left.send("m")
      pair.right.send("milk")
    }
    #expect(exploration.isComplete)
  }
}

nonisolated private struct NoteRow: Identifiable, Equatable {
  let id: String
}
