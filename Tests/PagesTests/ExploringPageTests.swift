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

  @Test func `a bug is found, and its order is on the page`() throws {
    try withKnownIssue {
      let notes = PendingResponses { (text: String) in ["Note about \(text)"] }
      let exploration = explore(NoteSearch { try await notes.next(for: $0) }) { probe in
        probe.send("m")
        probe.send("milk")
      }
      let failure = try #require(exploration.failure)
      #expect(try DocumentationTests.page("Exploring.md").contains(failure))
      #expect(exploration.order.count == 4)
    } matching: {
      $0.comments.contains { $0.rawValue.hasPrefix("The result of find m") }
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

  @Test func `events come at any time`() {
    let notes = PendingResponses { (text: String) in ["Note about \(text)"] }
    explore(
      Search<String> { try await notes.next(for: $0) },
      events: [.term("m"), .term("milk"), .term(""), .submit, .retry],
      checking: [.always { #expect(!$0.state.query.isEmpty || $0.state.results == .idle) }],
      steps: 4)
    explore(
      Search<String> { try await notes.next(for: $0) },
      events: [.term("m"), .term("milk"), .term(" m ")],
      checking: [
        .model("") { text, step, probe in
          if case .event(Search<String>.Event.term(let new)) = step.kind { text = new }
          #expect(probe.state.text == text)
        }
      ], steps: 4)
  }

  @Test func `a client is explored with its screen`() {
    func makeProbe() -> ScreenProbe<Feed<NoteRow>> {
      let stub = StubTransport(clock: TestClock())
      stub.stub(.get, "/notes", with: .json(#"["Milk", "Mint"]"#))
      let client = Client.stubbed(by: stub)
      let list = Feed<NoteRow> { _ in
        Page(try await client.send(Request<[String]>.get("/notes")).map { NoteRow(id: $0) })
      }
      return ScreenProbe(list)
    }
    explore(makeProbe(), checking: [.uniqueRows(\.items)], steps: 6) { probe in
      probe.send(.load)
      probe.send(.refresh)
    }
  }
}

nonisolated private struct NoteRow: Identifiable, Equatable {
  let id: String
}
