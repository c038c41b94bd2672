import Curlew
import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The code of Screens.md before its recipes, compiled and run.
@Suite("The page about screens", .timeLimit(.minutes(1)))
struct ScreensPageTests {
  nonisolated struct Clock: Screen {
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

  nonisolated struct StarredPosts: Screen {
    struct State: Equatable {
      var starred: Set<Int> = []
      var problem: String?
    }
    let starred: Shared<Set<Int>>
    let star: @Sendable (Int) async throws -> Void

    var initial: State { State() }
    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.follow("starred", starred, \.starred)
    }
    func handle(_ id: Int, _ state: inout State, _ work: inout Work<State>) {
      work.write("star \(id)", editing: starred) {
        $0.insert(id)
      } operation: { [star] in
        try await star(id)
      } finished: { state, result, _ in
        if case .failure(let error) = result { state.problem = "\(error)" }
      }
    }
  }

  @Test func `a shared value is edited by a screen`() async {
    nonisolated struct Refusal: Error {}
    let starred = Shared<Set<Int>>([1])
    let screen = StarredPosts(starred: starred) { if $0 == 3 { throw Refusal() } }
    let runner = Runner(screen)
    await runner.send(2).finished()
    #expect(starred.value == [1, 2])
    await runner.send(3).finished()
    #expect(starred.value == [1, 2])
    #expect(runner.state.problem == "Refusal()")
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
