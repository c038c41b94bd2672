import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The code that a view needs for a screen wrapped by other screens.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct WrappingTests {
  private struct Broke: Error, Equatable {}

  private let responses = PendingResponses<String, [String]>()

  private var search: Search<String> {
    let responses = responses
    return Search { try await responses.next(for: $0) }
  }

  private func offline() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }

  @Test func `a wrapped screen is sent to and read as it is alone`() {
    let model = ScreenModel(ActivityTracking(search))
    model.send(.term("a"))
    #expect(model.text == "a" && model.items == [])
    model.send(.dismiss(1))
    #expect(model.state.content.text == "a")
  }

  @Test func `so is one that two others wrap`() {
    let offline = offline
    let connected = ConnectionTracking(search, isOffline: offline) { _ in .retry }
    let one = ScreenModel(connected)
    one.send(.term("a"))
    #expect(one.text == "a" && !one.isOffline)
    let model = ScreenModel(ActivityTracking(connected))
    model.send(.term("b"))
    #expect(model.text == "b" && model.activity.alerts == [] && !model.isOffline)
  }

  @Test func `an alert's button tries again`() throws {
    let screen = ActivityTracking(search)
    let probe = ScreenProbe(screen)
    probe.send(.content(.term("a")))
    probe.send(.content(.submit))
    responses.reply(.failure(Broke()))
    probe.settle()
    let alert = try #require(probe.state.activity.alerts.first)
    #expect(alert.canRetry)
    probe.send(.retry(alert.id))
    #expect(probe.state.activity.alerts == [] && probe.state.isLoading)
    #expect(responses.requested == ["a", "a"])
    probe.send(.retry(alert.id))
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
