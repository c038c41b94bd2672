import Curlew
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Testing

/// A client's error on a screen, without code that connects the two.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ScreenRetryAfterTests {
  @Test func `screen counts down after too many requests`() async {
    let stub = StubTransport(clock: TestClock())
    let client = Client.stubbed(by: stub)
    let dogs = Request<[String]>.get("/dogs")
    stub.stub(dogs, with: .status(.tooManyRequests, [.retryAfter: "30"]))
    let search = Search<String> { _ in try await client.send(dogs) }
    let model = ScreenModel(search, clock: stub.clock)
    let view = Task { await model.run() }
    defer { view.cancel() }
    model.send(.term("shiba"))
    await model.send(.submit).finished()
    #expect(model.state.results.failure?.retryAfter == .seconds(30))
    #expect(model.activity.alerts.map(\.secondsLeft) == [30])
  }

  @Test func `protocol needs no import of its own`() {
    struct QuotaError: RetryAfterError {
      let retryAfter: Duration?
    }
    #expect(LoadFailure(QuotaError(retryAfter: .seconds(5))).retryAfter == .seconds(5))
    let error: any Error = Client.Error.cancelled
    #expect(error is any RetryAfterError)
  }
}
