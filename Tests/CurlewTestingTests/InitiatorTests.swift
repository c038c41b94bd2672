import Curlew
import CurlewScreens
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InitiatorTests {
  private let log = EventLog()
  private let stub = StubTransport()

  private func search() -> Search<String> {
    stub.stub(.get, "/x", with: .json("[]"))
    let client = Client.stubbed(by: stub) { $0.observers = [log] }
    return Search { _ in try await client.send(Request<[String]>.get("/x")) }
  }

  private func run<S: Screen>(_ screen: S, _ events: S.Event...) async {
    let runner = Runner(screen)
    for event in events { runner.send(event) }
    await runner.waitUntilIdle()
  }

  @Test func `a screens work is the initiator of its requests`() async {
    await run(search(), .term("a"), .submit)
    #expect(log.events.first?.initiator?.description == "Search<String>/search")
  }

  @Test func `work of a part is named with its part`() async {
    struct Two: Screen {
      struct State: Equatable { var to: Search<String>.State }
      let search: Search<String>
      var initial: State { State(to: search.initial) }
      func handle(_ event: Search<String>.Event, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.to) { search.handle(event, &state.to, &$0) }
      }
    }
    await run(Two(search: search()), .term("a"), .submit)
    #expect(log.events.first?.initiator?.description == "Two/to.search")
  }

  @Test func `work that other work starts has its own name`() async {
    stub.stub(.get, "/x", with: .json("[]"))
    let client = Client.stubbed(by: stub) { $0.observers = [log] }
    struct Chain: Screen {
      let client: Client
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        let load: @Sendable () async throws -> [String] = {
          try await client.send(Request<[String]>.get("/x"))
        }
        work.latest(
          "first", load,
          finished: { _, _, work in
            work.write("second", load, finished: { _, _, _ in })
          })
      }
    }
    await run(Chain(client: client), 1)
    let names = log.events.filter { $0.stage.name == "began" }.map { $0.initiator?.description }
    #expect(names == ["Chain/first", "Chain/second"])
  }
}
