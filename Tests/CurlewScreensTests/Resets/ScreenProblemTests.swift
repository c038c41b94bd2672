import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// Mistakes in screens are reported in debug builds and by a probe.
@Suite(.timeLimit(.minutes(1))) struct ScreenProblemTests {
  struct Pair: Screen {
    struct State: Equatable, Sendable {
      var left = Search<String>.State()
      var right = Search<String>.State()
      var nested = Nest.State()
    }

    enum Event: Sendable { case left, nested }

    struct Nest: Screen {
      struct State: Equatable, Sendable { var search = Search<String>.State() }
      let initial = State()
      var parts: [Part<State, Void>] { [Part(\.search, ScreenProblemTests.search)] }

      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.search) { ScreenProblemTests.search.handle(.term("a"), &state.search, &$0) }
      }
    }

    static let search = Search<String> { [$0] }
    var declares = true
    let initial = State()

    var parts: [Part<State, Event>] {
      [Part(\.right, Self.search), Part(\.nested, Nest())]
        + (declares ? [Part(\.left, Self.search)] : [])
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .left: work.scope(\.left) { Self.search.handle(.term("a"), &state.left, &$0) }
      case .nested:
        work.scope(\.nested) { Nest().handle((), &state.nested, &$0) }
      }
    }
  }

  fileprivate static let search = Search<String> { [$0] }

  func problems(of screen: Pair, _ events: Pair.Event...) -> [String] {
    let told = Told()
    ScreenErrors.$handler.withValue({ text in told.add(text) }) {
      let runner = Runner(screen)
      for event in events { runner.send(event) }
      runner.stop()
    }
    return told.texts
  }

  final class Told: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
  }

  @Test func `declared parts with names of their own are fine`() {
    #expect(problems(of: Pair(), .left, .nested) == [])
  }

  @Test func `work in a part that is not declared is told`() {
    let told = problems(of: Pair(declares: false), .left, .nested)
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix("Pair scopes work to left, which its `parts` do not declare") == true)
  }

  struct Doubled: Screen {
    struct Row: Equatable, Sendable, Identifiable {
      let id: Int
      var likes = 0
    }

    struct Likes: Screen {
      let initial = Row(id: 0)
      func handle(_ event: Void, _ state: inout Row, _ work: inout Work<Row>) {}
    }

    struct State: Equatable, Sendable {
      var left = Search<String>.State()
      var right = Search<String>.State()
      var rows: [Row] = []
    }

    let parts: [Part<State, [Int]>]
    let initial = State()

    func handle(_ event: [Int], _ state: inout State, _ work: inout Work<State>) {
      state.rows = event.map { Row(id: $0) }
    }
  }

  private func problems(_ parts: [Part<Doubled.State, [Int]>], _ events: [Int]...) -> [String] {
    let told = Told()
    ScreenErrors.$handler.withValue({ text in told.add(text) }) {
      let runner = Runner(Doubled(parts: parts))
      for event in events { runner.send(event) }
    }
    return told.texts
  }

  @Test func `parts that can't be told apart are told`() {
    let search = Self.search
    #expect(problems([Part(\.left, search), Part(\.right, search)]) == [])
    #expect(
      problems([Part(\.left, search), Part(\.left, search)]) == [
        "Doubled declares left twice in its `parts`: its begin and stateDidChange are called twice."
      ])
    #expect(
      problems([Part(\.left, search), Part(\.right, search, named: "left")]) == [
        "Doubled has two parts with the name left, which traces and alerts can't tell apart."
      ])
  }

  @Test func `rows with one id are told`() {
    let rows: [Part<Doubled.State, [Int]>] = [Part(each: \.rows, Doubled.Likes())]
    #expect(problems(rows, [1, 2], [2, 1]) == [])
    #expect(
      problems(rows, [1, 2, 1]) == [
        "rows has several elements with the id 1: only the first gets results."
      ])
  }

  @Test func `a runner tells the load that nothing ends`() {
    let told = Told()
    ScreenErrors.$handler.withValue({ text in told.add(text) }) {
      let runner = Runner(Forgetful())
      runner.send(.load)
      runner.send(.cancel)
    }
    #expect(told.texts.count == 1)
    #expect(told.texts.first?.hasPrefix("Forgetful shows load as loading, but no work") == true)
  }

  /// A screen that does not reset its loading state when it cancels.
  struct Forgetful: Screen {
    enum Event: Sendable { case load, cancel }
    let responses = PendingResponses<String, String>()
    let initial = Loadable<String>.idle

    func handle(
      _ event: Event, _ state: inout Loadable<String>, _ work: inout Work<Loadable<String>>
    ) {
      switch event {
      case .load:
        work.latest("load") {
          try await responses.next(for: "load")
        } started: {
          $0.startLoading()
        } finished: { state, result, _ in
          state.finishLoading(with: result)
        }
      case .cancel: work.cancel("load")
      }
    }

    func loads(in state: Loadable<String>) -> [LoadStatus<Event>] {
      [LoadStatus(name: "load", isLoading: state.isLoading, failure: state.failure)]
    }
  }

  @Test func `spinner that nothing ends is told`() {
    withKnownIssue {
      let probe = ScreenProbe(Forgetful())
      probe.send(.load)
      probe.send(.cancel)
    } matching: { issue in
      "\(issue)".contains("Forgetful shows load as loading")
    }
  }
}
