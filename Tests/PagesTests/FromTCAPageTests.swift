import CurlewScreens
import CurlewTesting
import Testing

/// The code of FromTCA.md, compiled and run.
@Suite("The page about migrating from Combine or TCA", .timeLimit(.minutes(1)))
struct FromTCAPageTests {
  nonisolated struct NumberFacts: Screen {
    enum Event { case increment, factTapped }

    struct State: Equatable {
      var number = 0
      var fact: Loadable<String> = .idle
    }

    let fact: @Sendable (Int) async throws -> String
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .increment: state.number += 1
      case .factTapped:
        work.latest("fact") { [number = state.number] in
          try await fact(number)
        } started: {
          $0.fact.startLoading()
        } finished: { state, result, _ in
          state.fact.finishLoading(with: result)
        }
      }
    }
  }

  @Test func `the newest fact is shown`() {
    let responses = PendingResponses<Int, String>()
    let probe = ScreenProbe(NumberFacts { try await responses.next(for: $0) })
    probe.send(.increment)
    probe.send(.factTapped)
    #expect(probe.state.fact.isLoading)
    responses.reply(.success("1 is odd."))
    probe.settle()
    #expect(probe.state == .init(number: 1, fact: .content("1 is odd.")))
  }

  @Test func `a pipeline is a search`() {
    let responses = PendingResponses<String, [String]>()
    let search = Search<String> { text in try await responses.next(for: text) }
    let model = ScreenModel(search)
    #expect(model.state.results == .idle)
    let probe = ScreenProbe(search)
    probe.send(.term(" milk "))
    probe.advance(by: .milliseconds(500))
    #expect(responses.waiting == ["milk"])
  }
}
