import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExploreTests {
  private let found = PendingResponses { (text: String) in ["1 of \(text)"] }

  /// Returns a failing exploration, whose issue is expected.
  private func failing(_ explore: () async -> Exploration) async throws -> Exploration {
    var exploration: Exploration?
    await withKnownIssue { exploration = await explore() }
    return try #require(exploration)
  }

  @Test func `a search keeps its promises in all orders`() async {
    let exploration = await explore(Search<String> { [found] in try await found.next(for: $0) }) {
      $0.send(.term("a"))
      $0.send(.submit)
      $0.send(.term("ab"))
    }
    #expect(exploration.isComplete)
    #expect(exploration.description.hasPrefix("all orders of 8 steps ("))
    // Each resumption of a suspended screen loads again.
    #expect(exploration.requests.keys.sorted() == [#""a""#, #""ab""#])
  }

  @Test func `a limit of the runs is told`() async {
    let exploration = await explore(
      Search<String> { [found] in try await found.next(for: $0) }, runs: 20
    ) {
      $0.send(.term("a"))
      $0.send(.submit)
      $0.send(.term("ab"))
    }
    #expect(!exploration.isComplete && exploration.runs == 20)
    #expect(exploration.description.hasPrefix("10 of about "))
  }

  /// A screen whose loads have different names.
  private struct Unordered: Screen {
    let find: @Sendable (String) async throws -> [String]
    var initial: Loadable<[String]> { .idle }

    func handle(
      _ event: String, _ state: inout Loadable<[String]>, _ work: inout Work<Loadable<[String]>>
    ) {
      work.latest("find \(event)") { [find] in
        try await find(event)
      } started: {
        $0.startLoading()
      } finished: { state, result, _ in
        state.finishLoading(with: result)
      }
    }
  }

  @Test func `an older result that replaces a newer one is found`() async throws {
    let exploration = try await failing {
      await explore(Unordered { [found] in try await found.next(for: $0) }) {
        $0.send("a")
        $0.send("ab")
      }
    }
    #expect(
      exploration.order == [
        #"probe.send("a")"#, #"probe.send("ab")"#, #"responses.reply(for: "ab")"#,
        #"responses.reply(for: "a")"#,
      ])
    let failure = try #require(exploration.failure)
    #expect(failure.hasPrefix("The result of find a replaced the result of work"))
    #expect(failure.contains("// content[0]: \"1 of ab\" -> \"1 of a\""))
  }

  @Test func `results of independent work may come in any order`() async {
    struct Sum: Screen {
      let load: @Sendable (Int) async throws -> Int
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        work.latest("load \(event)") { [load] in
          try await load(event)
        } finished: { state, result, _ in
          state += (try? result.get()) ?? 0
        }
      }
    }
    let numbers = PendingResponses { (number: Int) in number }
    let exploration = await explore(Sum { try await numbers.next(for: $0) }) {
      $0.send(1)
      $0.send(2)
    }
    #expect(exploration.isComplete)
  }

  @Test func `a screen that differs in each run is reported`() async throws {
    struct Random: Screen {
      var initial: UInt64 { 0 }
      func handle(_ event: Int, _ state: inout UInt64, _ work: inout Work<UInt64>) {
        state = .random(in: 1 ... .max)
      }
    }
    let exploration = try await failing { await explore(Random()) { $0.send(1) } }
    let failure = try #require(exploration.failure)
    #expect(failure.contains("is not deterministic: after probe.send(1), two runs"))
  }

  /// A list whose failed write restores the list as it was before the write, without later entries.
  private struct Cart: Screen {
    let save: @Sendable (String) async throws -> Void
    var initial: [String] { [] }

    func handle(_ event: String, _ state: inout [String], _ work: inout Work<[String]>) {
      let before = state
      state.append(event)
      work.write("save \(event)") { [save] in
        try await save(event)
      } finished: { state, result, _ in
        if case .failure = result { state = before }
      }
    }
  }

  @Test func `a model is told each step once in a shortened order`() async throws {
    let saved = PendingResponses { (_: String) in }
    let exploration = try await failing {
      await explore(
        Cart { try await saved.next(for: $0) }, events: [],
        checking: [
          .model(0) { count, step, probe in
            switch step.kind {
            case .event: count += 1
            case .failure: count -= 1
            default: break
            }
            #expect(probe.state.count == count)
          }
        ]
      ) { probe in
        probe.send("milk")
        probe.send("bread")
        probe.send("tea")
      }
    }
    #expect(exploration.order.count == 3, "\(exploration.order)")
    #expect(exploration.order.count { $0.contains(".failure") } == 1)
    #expect(exploration.failure?.contains("[] ->") == false)
  }

  @Test func `of equal requests each has code that compiles`() async throws {
    let numbers = PendingResponses(allowsEqualRequests: true) { (number: Int) in number }
    @Sendable func next() async { _ = try? await numbers.next(for: 1) }
    let executor = TestExecutor()
    let tasks = (0..<2).map { _ in executor.task { await next() } }
    executor.drain()
    // As a printed order has it.
    numbers.reply(to: 1 /* 1 */)
    numbers.reply(for: 1)
    executor.drain()
    for task in tasks { try await task.value }
    #expect(numbers.waiting.isEmpty && numbers.requested == [1, 1])
  }

  @Test func `a screen that differs only after an event is reported`() async throws {
    struct Random: Screen {
      var initial: UInt64 { 0 }
      func handle(_ event: Int, _ state: inout UInt64, _ work: inout Work<UInt64>) {
        state = .random(in: 1 ... .max)
      }
    }
    let exploration = try await failing { await explore(Random(), events: [1], steps: 3) }
    #expect(exploration.failure?.contains("is not deterministic") == true)
  }

  @Test func `random identifiers are compared by the order in which they appear`() async throws {
    struct Random: Screen {
      struct State: Equatable { var (ids, last): ([UUID], String) = ([], "") }
      let repeats: Bool
      var initial: State { State() }
      func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
        state.ids.append(UUID())
        state.last = (repeats && Bool.random() ? UUID() : state.ids[0]).uuidString
      }
    }
    #expect(await explore(Random(repeats: false), events: [1], steps: 3).failure == nil)
    let exploration = try await failing {
      await explore(Random(repeats: true), events: [1], steps: 6, runs: 200)
    }
    #expect(exploration.failure?.contains("is not deterministic") == true)
  }

  private struct Login: FormDraft {
    enum Field: CaseIterable { case name }
    var name = "ada"
    subscript(field: Field) -> String {
      get { name }
      set { name = newValue }
    }
    func problem(in field: Field) -> String? { name.isEmpty ? "Missing." : nil }
  }

  @Test func `a form with random keys is explored`() async {
    let saved = PendingResponses { (name: String) in name }
    let exploration = await explore(
      FormScreen<Login, String>(Login()) { login, _ in try await saved.next(for: login.name) },
      events: [.change(.name, "bo"), .submit], steps: 4)
    #expect(exploration.isComplete)
  }

  @Test func `a screen that loads on without a pause is reported`() async throws {
    struct Loop: Screen {
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        work.latest("next") {
        } finished: { [self] state, _, work in
          state += 1
          handle(event, &state, &work)
        }
      }
    }
    let exploration = try await failing { await explore(Loop(), steps: 2, runs: 2) { $0.send(1) } }
    #expect(exploration.failure?.contains("does not come to rest") == true)
  }

  @Test func `an expectation of the script fails with its order`() async throws {
    let exploration = try await failing {
      await explore(Search<String> { [found] in try await found.next(for: $0) }) { probe in
        probe.send(.term("a"))
        probe.send(.submit)
        probe.send(.term("ab"))
        #expect(probe.state.items.isEmpty)
      }
    }
    #expect(exploration.order.count <= 4)
  }

  @Test func `a route that is opened twice is found`() async throws {
    struct Opened: Route {
      let address = "/row"
      init() {}
      init?(address: String) { nil }
    }
    struct List: Screen {
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) {
        state += 1
        work.go(to: Opened())
      }
    }
    let exploration = try await failing {
      await explore(List(), checking: [.finally { #expect($0.routes.count <= 1) }]) { probe in
        for row in 1...2 { probe.send(row) }
      }
    }
    #expect(exploration.order.count == 2, "\(exploration.order)")
  }

  @Test func `the number of requests is a property`() async throws {
    let exploration = try await failing {
      await explore(
        Search<String> { [found] in try await found.next(for: $0) },
        checking: [.requests(atMost: 1)]
      ) {
        $0.send(.term("a"))
        $0.send(.submit)
      }
    }
    #expect(exploration.failure?.hasPrefix("2 requests instead of at most 1: 2 × \"a\"") == true)
  }

  @Test func `the costs of equal states count`() async throws {
    func feed() -> ScreenProbe<Feed<Row>> {
      let stub = StubTransport(clock: TestClock())
      stub.stub(.get, "/rows", with: .json("[1, 2]"))
      let client = Client.stubbed(by: stub)
      return ScreenProbe(
        Feed<Row> { _ in
          Page(try await client.send(Request<[Int]>.get("/rows")).map { Row(id: $0) })
        }, activity: nil)
    }
    // Each refresh leads to the same state.
    func refresh(_ property: ExplorationProperty<ScreenProbe<Feed<Row>>>) async -> Exploration {
      await explore(
        feed(), checking: [property], steps: 6,
        events: { probe in
          [ExplorationStep("probe.send(.refresh)", .event(0)) { probe.send(.refresh) }]
        }
      ) { _ in }
    }
    let requests = try await failing { await refresh(.requests(atMost: 2)) }
    #expect(requests.failure?.hasPrefix("3 requests instead of at most 2") == true)
    let bytes = try await failing { await refresh(.bytes(atMost: 12)) }
    #expect(bytes.failure?.hasPrefix("18 bytes of responses instead of at most 12") == true)
    #expect(bytes.bytes == 18)
  }

  private struct Row: Identifiable, Equatable {
    let id: Int
  }

  /// A screen whose stream begins again after its end.
  private struct Prices: Screen {
    let open: @Sendable () -> AsyncThrowingStream<Int, any Error>
    let counts: Bool
    var initial: [Int] { [] }
    func handle(_ event: Int, _ state: inout [Int], _ work: inout Work<[Int]>) {
      work.follow("prices", { [open] in open() }) { [counts] state, price, _ in
        if counts || !state.contains(price) { state.append(price) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `streams are opened again and yield in all orders`(counts: Bool) async throws {
    let prices = PendingStreams([1, 2])
    func run() async -> Exploration {
      await explore(
        Prices(open: { prices.open() }, counts: counts),
        checking: [.always { #expect(Set($0.state).count == $0.state.count) }], steps: 6
      ) { probe in
        probe.send(0)
        probe.send(0)
      }
    }
    if !counts { return await #expect(run().isComplete) }
    let exploration = try await failing(run)
    #expect(exploration.order.contains("streams.yield(1, to: 0)") && exploration.order.count == 4)
  }

  /// Two screens with one clock.
  private struct Pair: Explorable {
    let clock = TestClock(executor: TestExecutor())
    let left: ScreenProbe<Search<String>>
    let right: ScreenProbe<Search<String>>

    init(_ found: PendingResponses<String, [String]>) {
      left = ScreenProbe(Search { try await found.next(for: $0) }, activity: nil, clock: clock)
      right = ScreenProbe(Search { try await found.next(for: $0) }, activity: nil, clock: clock)
    }

    var state: [Search<String>.State] { [left.state, right.state] }
    var nextSteps: [ExplorationStep] {
      left.runner.isWorking ? left.nextSteps : right.nextSteps
    }
    var pendingWork: String { left.pendingWork + right.pendingWork }
    func problem(isAtRest: Bool) -> String? {
      left.problem(isAtRest: isAtRest) ?? right.problem(isAtRest: isAtRest)
    }
  }

  @Test func `two screens have one clock`() async {
    let exploration = await explore(Pair(found), steps: 6) { pair in
      pair.left.send(.term("a"))
      pair.right.send(.term("b"))
    }
    #expect(exploration.isComplete && exploration.requests.count == 2)
  }

  @Test func `pending responses without a closure are reported`() async throws {
    let responses = PendingResponses<String, [String]>()
    let exploration = try await failing {
      await explore(Search<String> { try await responses.next(for: $0) }) { $0.send(.term("a")) }
    }
    #expect(exploration.failure?.hasPrefix("Create the PendingResponses with a closure") == true)
  }
}
