import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Mistakes of a developer, each beside the same screen without it; debug builds report them.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ScreenMistakeTests {
  nonisolated struct Trip: Screen {
    struct Row: Equatable, Sendable, Identifiable {
      let id: Int
      var likes = 0
    }

    struct Likes: Screen {
      let initial = Row(id: 0)
      func handle(_ event: Void, _ state: inout Row, _ work: inout Work<Row>) {}
    }

    struct State: Equatable, Sendable {
      var from = Search<String>.State()
      var to = Search<String>.State()
      var rows: [Row] = []
      var place: Loadable<String> = .idle
      var count = 0
    }

    var parts: [Part<State, Void>] = []
    var loads: @Sendable (State) -> [LoadStatus<Void>] = { _ in [] }
    var changed: @Sendable (inout State) -> Void = { _ in }
    var handle: @Sendable (inout State, inout Work<State>) -> Void
    let initial = State()

    func loads(in state: State) -> [LoadStatus<Void>] { loadsOfParts(in: state) + loads(state) }
    func stateDidChange(_ state: inout State, _ work: inout Work<State>) { changed(&state) }
    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
      handle(&state, &work)
    }
  }

  nonisolated struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var forgetsRun = false
    let message: String
    let wrong: Trip
    let right: Trip

    init(
      _ name: String, forgetsRun: Bool = false, _ message: String, wrong: Trip, right: Trip
    ) {
      (testDescription, self.forgetsRun, self.message) = (name, forgetsRun, message)
      (self.wrong, self.right) = (wrong, right)
    }
  }

  nonisolated static let search = Search<String>(debounce: .zero) { [$0] }

  /// A search of the first part.
  @Sendable nonisolated static func searchFrom(
    _ state: inout Trip.State, _ work: inout Work<Trip.State>
  ) {
    work.scope(\.from) { search.handle(.term("a"), &state.from, &$0) }
  }

  /// A load of the place with or without its calls.
  nonisolated static func load(starts: Bool = true, finishes: Bool = true) -> Trip {
    Trip(loads: { state in
      [LoadStatus(name: "place", isLoading: state.place.isLoading, failure: state.place.failure)]
    }) { _, work in
      work.latest("place") {
        "here"
      } started: {
        if starts { $0.place.startLoading() }
      } finished: { state, result, _ in
        if finishes { state.place.finishLoading(with: result) }
      }
    }
  }

  nonisolated static func rows(_ ids: [Int]) -> Trip {
    Trip(parts: [Part(each: \.rows, Trip.Likes())]) { state, _ in
      state.rows = ids.map { Trip.Row(id: $0) }
    }
  }

  /// A load and a stream with two names.
  nonisolated static func loadAndStream(_ load: WorkID, _ stream: WorkID) -> Trip {
    Trip { _, work in
      work.latest(load) {
        1
      } finished: { _, _, _ in
      }
      work.follow(stream) {
        AsyncStream<Int> { $0.finish() }
      } each: { _, _, _ in
      }
    }
  }

  nonisolated static let polling = Trip { _, work in
    work.timer("poll", after: .seconds(3_600)) { _, _ in }
  }

  nonisolated static let mistakes = [
    Mistake(
      "part declared twice",
      "Trip declares from twice in its `parts`: its begin and stateDidChange are called twice. Declare it once.",
      wrong: Trip(parts: [Part(\.from, search), Part(\.from, search)]) { _, _ in },
      right: Trip(parts: [Part(\.from, search), Part(\.to, search)]) { _, _ in }),
    Mistake(
      "two parts with one name",
      "Trip has two parts with the name from, which traces and alerts can't tell apart. Give one another name with `named:`.",
      wrong: Trip(parts: [Part(\.from, search), Part(\.to, search, named: "from")]) { _, _ in },
      right: Trip(parts: [Part(\.from, search), Part(\.to, search, named: "destination")]) { _, _ in
      }),
    Mistake(
      "two rows with one id",
      "CurlewScreensTests.ScreenMistakeTests.Trip.State has several elements with the id 1 in rows: only the first gets results. Make their ids differ.",
      wrong: rows([1, 2, 1]), right: rows([1, 2])),
    Mistake(
      "work in a part that is not declared",
      "Trip scopes work to from, which its `parts` do not declare: the part's begin and stateDidChange are not called, and its loads are not tracked. Add it to `parts`.",
      wrong: Trip(handle: searchFrom),
      right: Trip(parts: [Part(\.from, search)], handle: searchFrom)),
    Mistake(
      "part with a name only that loads",
      #"Trip declares from only by its name, so its loads, such as from.search, are in no status. Declare it with a screen, `Part(\.from, screen)`, or add its loads to `loads(in:)`."#,
      wrong: Trip(parts: [Part(\.from)], handle: searchFrom),
      right: Trip(
        parts: [Part(\.from)],
        loads: { state in
          [LoadStatus(name: "place", isLoading: state.from.isLoading, failure: nil)]
        }, handle: searchFrom)),
    Mistake(
      "scope of one part with the state of another",
      "Trip starts from.search with the state of to: in the scope of from, pass the state of from, `&state.from`, to `handle`.",
      wrong: Trip(parts: [Part(\.from, search), Part(\.to, search)]) { state, work in
        work.scope(\.from) { search.handle(.term("a"), &state.to, &$0) }
      },
      right: Trip(parts: [Part(\.from, search), Part(\.to, search)]) { state, work in
        state.to = .init(text: "a")
        searchFrom(&state, &work)
      }),
    Mistake(
      "startLoading() forgotten",
      "Trip ignores the result of place: finishLoading(with:) does nothing while content is idle. Call startLoading() in `started`.",
      wrong: load(starts: false), right: load()),
    Mistake(
      "finishLoading(with:) forgotten",
      "Trip shows place as loading, but no work is left that ends it: call finishLoading(with:) in `finished` and cancelLoading() in `cancelled`.",
      wrong: load(finishes: false), right: load()),
    Mistake(
      "run() forgotten", forgetsRun: true,
      "Trip was released while its poll was running, and nothing had called run() of its model. Call it in the view's `.task { await model.run() }`, or with `.running(model)`, so that its work is suspended when the view disappears.",
      wrong: polling, right: polling),
    Mistake(
      "two statuses with one name",
      "Trip returns several loads with the name search from `loads(in:)`, which alerts and retries can't tell apart. Give each a name of its own.",
      wrong: load().returning("search", "search"), right: load().returning("search", "save")),
    Mistake(
      "load and stream with one name",
      "Trip starts a load and a stream with the name prices in one change: the stream cancels the load. Give each a name of its own.",
      wrong: loadAndStream("prices", "prices"), right: loadAndStream("prices", "changes")),
    Mistake(
      "stateDidChange that never rests",
      "Trip loops forever: its stateDidChange changes the state on every call.",
      wrong: Trip(changed: { $0.count = 1 - $0.count }) { state, _ in state.count = 1 },
      right: Trip(changed: { $0.count = 0 }) { state, _ in state.count = 1 }),
  ]

  /// Returns the reports about a model that gets an event, and is then released.
  func reports(of screen: Trip, isRun: Bool = true, events: Int = 1) async -> [String] {
    let reports = Reports()
    await ScreenErrors.$handler.withValue({ reports.add($0) }) {
      let model = ScreenModel(screen, errors: .endsScreen)
      let view = isRun ? Task { await model.run() } : nil
      for _ in 0..<events { await model.send(()).finished() }
      view?.cancel()
      await view?.value
    }
    return reports.texts
  }

  nonisolated final class Reports: Sendable {
    private let list = Mutex<[String]>([])
    var texts: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
  }

  @Test(arguments: mistakes) func `a mistake is told, and only the mistake`(_ mistake: Mistake)
    async
  {
    let isRun = !mistake.forgetsRun
    #expect(await reports(of: mistake.wrong, isRun: isRun) == [mistake.message])
    #expect(await reports(of: mistake.right) == [])
  }

  @Test func `there are twelve mistakes`() { #expect(Self.mistakes.count == 12) }

  nonisolated struct Two<Content: Screen>: Screen {
    struct State: Equatable, Sendable {
      var one: Content.State
      var two: Content.State
    }

    let content: Content
    var initial: State { State(one: content.initial, two: content.initial) }
    var parts: [Part<State, Content.Event>] { [Part(\.one, content), Part(\.two, content)] }

    func handle(_ event: Content.Event, _ state: inout State, _ work: inout Work<State>) {
      work.scope(\.one) { content.handle(event, &state.two, &$0) }
    }
  }

  /// Returns the reports about a screen in the scope of another part.
  func reports<Content: Screen>(ofTwo content: Content, _ event: Content.Event) -> [String] {
    let reports = Reports()
    ScreenErrors.$handler.withValue({ reports.add($0) }) {
      let runner = Runner(Two(content: content))
      runner.send(event)
      runner.stop()
    }
    return reports.texts
  }

  @Test func `ready-made screens tell the scope of another part`() {
    let search = Search<String> { [$0] }
    let feed = Feed<Entry> { _ in Page([1]) }
    let paged = PagedSearch<Entry> { _, _ in Page([1]) }
    let detail = Detail<Int, Int, Int> { $0 }
    let told = [
      reports(ofTwo: search, .term("a")), reports(ofTwo: feed, .load),
      reports(ofTwo: paged, .term("a")), reports(ofTwo: detail, .show(1)),
    ]
    for texts in told {
      #expect(texts.count == 1)
      #expect(texts.first?.contains("with the state of two: in the scope of one, pass") == true)
    }
  }

  @Test func `a result that comes after a reset is no mistake`() async {
    let (responses, reports) = (PendingResponses<String, String>(), Reports())
    await ScreenErrors.$handler.withValue({ reports.add($0) }) {
      let runner = Runner(
        Trip { state, work in
          guard state.count == 0 else {
            state.place = .idle
            return
          }
          state.count = 1
          work.latest("place") {
            try await responses.next(for: "place")
          } started: {
            $0.place.startLoading()
          } finished: { state, result, _ in
            state.place.finishLoading(with: result)
          }
        })
      runner.send(())
      await eventually { !responses.waiting.isEmpty }
      runner.send(())
      responses.reply(.success("here"))
      await runner.waitUntilIdle()
      #expect(runner.state.place == .idle)
    }
    #expect(reports.texts == [])
  }

  @Test func `a probe's test fails when nothing ends a spinner`() {
    withKnownIssue {
      let probe = ScreenProbe(Self.load(finishes: false))
      probe.send(())
    } matching: { issue in
      "\(issue)".contains("Trip shows place as loading")
    }
  }
}

extension ScreenMistakeTests.Trip {
  /// Returns this screen with two statuses.
  nonisolated func returning(_ one: WorkID, _ other: WorkID) -> Self {
    var screen = self
    screen.loads = { _ in
      [one, other].map { LoadStatus(name: $0, isLoading: false, failure: nil) }
    }
    return screen
  }
}
