import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The code of Documentation/Screens.md before its recipes, compiled and run.
@Suite("The page about screens", .timeLimit(.minutes(1)))
struct ScreensPageTests {
  struct Clock: Screen {
    enum Event { case appeared, adjust(Int) }

    struct State: Equatable {
      var minutes: Loadable<Int> = .idle
      var offset = 0
    }

    let now: @Sendable () async throws -> Int
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .adjust(let minutes): state.offset += minutes
      case .appeared:
        work.latest("now") {
          try await now()
        } started: {
          $0.minutes.startLoading()
        } finished: { state, result, _ in
          state.minutes.finishLoading(with: result)
        }
      }
    }
  }

  @Test func `clock is tested by calling it and with a probe`() {
    let clock = Clock { 42 }

    var (state, work) = (clock.initial, Work<Clock.State>())
    clock.handle(.appeared, &state, &work)
    #expect(work.started == ["now"])

    let probe = ScreenProbe(clock)
    probe.send(.appeared)
    #expect(probe.state.minutes == .content(42))
    #expect(probe.steps == [.started, .finished(error: nil)])
    probe.send(.adjust(2))
    #expect(probe.state.offset == 2)
  }

  @Test func `writes are awaited`() async {
    let saved = PendingResponses<String, Void>()
    let draft = TimeRecipes.Draft { try await saved.next(for: $0) }
    let answering = Task {
      await eventually { !saved.waiting.isEmpty }
      saved.reply(.success(()))
    }

    let writes = PendingWork()
    let runner = Runner(draft, writes: writes)
    runner.send("the last words")
    await writes.finished()

    await answering.value
    #expect(saved.requested == ["the last words"])
  }
}
