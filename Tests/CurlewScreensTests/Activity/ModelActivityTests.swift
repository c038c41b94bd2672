import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The alerts of a model, and a model that shows a state.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ModelActivityTests {
  private struct Broke: Error, Equatable {}

  private let responses = PendingResponses<String, [String]>()

  private var search: Search<String> {
    let responses = responses
    return Search { try await responses.next(for: $0) }
  }

  @Test func `an alert's button tries again`() throws {
    let probe = ScreenProbe(search)
    probe.send(.term("a"))
    probe.send(.submit)
    responses.reply(.failure(Broke()))
    probe.settle()
    let alert = try #require(probe.activity.alerts.first)
    #expect(alert.canRetry)
    probe.retry(alert.id)
    #expect(probe.activity.alerts == [] && probe.state.isLoading)
    #expect(responses.requested == ["a", "a"])
    probe.retry(alert.id)
    #expect(responses.requested == ["a", "a"], "nothing has failed")
  }

  @Test func `a model that shows a state stays as it is`() async {
    let state = Search<String>.State(text: "a", results: .content(["1"]))
    let model = ScreenModel(search, showing: state)
    await model.send(.submit).finished()
    model.send(.term("b"))
    #expect(model.state == state && !model.isWorking)
    let run = Task { await model.run() }
    run.cancel()
    await run.value
    #expect(model.state == state && responses.requested == [])
  }
}
