import Curlew
import CurlewLive
import CurlewScreens
import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The inspector's records of a screen and of its requests.
@Suite(.timeLimit(.minutes(1)))
struct TimelineTests {
  private struct Nowhere: Navigator {
    func go(to route: any Route) {}
  }

  private static func kinds(_ timeline: Timeline) -> [String] {
    timeline.entries.map { entry in
      switch entry.kind {
      case .opened: "opened"
      case .event: "event"
      case .state: "state"
      case .wait(let work, _): "\(work) waits"
      case .skip(let work): "\(work) is skipped"
      case .start(let work, _): "\(work) starts"
      case .end(let work, _, let outcome, _): "\(work) \(outcome)"
      case .request(let step): step.stage
      case .sent: "sent"
      }
    }
  }

  @Test func `a request is under the run that made it`() async throws {
    let transport = StubTransport()
    transport.stub(.get, "/dogs", with: .json(#"["Great Dane"]"#))
    let client = Client(baseURL: "https://kennel.example") {
      $0.transport = transport
      $0.observers = [.timeline]
    }
    let dogs = Search<String> { text in
      try await client.send(Request<[String]>.get("/dogs", query: ["name": text]))
    }
    let timeline = Timeline(ContinuousClock())
    let runner = Runner(
      dogs, clock: ContinuousClock(), navigator: Nowhere(), writes: PendingWork(),
      observer: { timeline.ran($1) }, listener: timeline, activity: .init(), onChange: {})
    runner.send(.term("great"))
    runner.send(.submit)
    await runner.waitUntilIdle()

    let kinds = Self.kinds(timeline)
    let start = try #require(kinds.firstIndex(of: "search starts"))
    let began = try #require(kinds.firstIndex(of: "began"))
    let finished = try #require(kinds.firstIndex(of: "finished"))
    let end = try #require(kinds.firstIndex(of: "search finished"))
    #expect(start < began && began < finished && finished < end)
    #expect(kinds.contains("search waits"))
    var runs: Set<UInt64> = []
    for entry in timeline.entries {
      switch entry.kind {
      case .start(_, let run): runs.insert(run)
      case .request(let step):
        runs.insert(step.run)
        if step.stage == "began" {
          #expect(step.text == "GET https://kennel.example/dogs?name=great")
        }
      default: break
      }
    }
    #expect(runs.count == 1, "one run, and all of its requests")
    runner.stop()
  }

  @Test func `a request is told after the beginning of its run`() {
    let timeline = Timeline(ContinuousClock())
    timeline.add(.start(work: "one", run: 3))
    timeline.add(.request(.init(call: 1, run: 5, stage: "began")))
    timeline.add(.request(.init(call: 1, run: 3, stage: "of the first")))
    timeline.add(.request(.init(call: 1, run: 5, stage: "sending")))
    timeline.add(.start(work: "two", run: 5))
    timeline.add(.request(.init(call: 1, run: 5, stage: "finished")))
    #expect(
      Self.kinds(timeline)
        == ["one starts", "of the first", "two starts", "began", "sending", "finished"])
    #expect(timeline.entries.map(\.number) == Array(1...6))
  }

  @Test func `a request of nobody is not told`() async throws {
    let transport = StubTransport()
    transport.stub(.get, "/dogs", with: .json("[]"))
    let client = Client(baseURL: "https://kennel.example") {
      $0.transport = transport
      $0.observers = [.timeline]
    }
    #expect(try await client.send(Request<[String]>.get("/dogs")).isEmpty)
  }

  @Test func `the newest entries are kept`() {
    let timeline = Timeline(ContinuousClock(), limit: 10)
    for number in 1...1_000 { timeline.add(.sent(number)) }
    let numbers = timeline.entries.map(\.number)
    #expect((10..<20).contains(numbers.count))
    #expect(numbers == Array((1_001 - numbers.count)...1_000))
  }
}
