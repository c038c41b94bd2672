import Application
import CurlewScreens
import CurlewTesting
import Domain
import Testing

/// The search beside a naive search, with a source that takes a second.
@Suite(.timeLimit(.minutes(1)))
struct SearchComparisonTests {
  let executor: TestExecutor
  let clock: TestClock
  let runner: Runner<SearchComparison<Dog>>

  var state: SearchComparison<Dog>.State { runner.state }

  init() {
    let executor = TestExecutor()
    let clock = TestClock(executor: executor)
    let source = ClockedDogs(clock: clock)
    (self.executor, self.clock) = (executor, clock)
    runner = Runner(
      SearchComparison(clock: clock) { try await source.dogs(named: $0) }, clock: clock,
      executor: .custom(executor))
  }

  func wait(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

  /// Types a text letter by letter, one letter per tenth of a second.
  func type(_ text: String) {
    for length in 1...text.count {
      runner.send(.search(.term(String(text.prefix(length)))))
      wait(100)
    }
  }

  @Test func `requests of both are counted`() {
    type("shiba")
    #expect(state.keystrokes == 5)
    #expect(state.naive.requests == 5)
    #expect(state.naive.pending == 5)
    #expect(state.requests == 0)
    wait(400)
    #expect(state.requests == 1)
    wait(1_000)
    #expect((state.naive.pending, state.requests) == (0, 1))
    // An unchanged text is not a keystroke; searching again is a request.
    runner.send(.search(.term("shiba")))
    runner.send(.search(.submit))
    wait(0)
    #expect((state.keystrokes, state.naive.requests, state.requests) == (5, 5, 2))
  }

  @Test func `without latency both are right`() {
    type("shiba")
    wait(2_000)
    #expect(!state.naive.isWrong)
    #expect(state.naive.items.map(\.name) == ["Shiba Inu"])
    #expect(state.search.items == state.naive.items)
  }

  @Test func `with latency only the naive one is wrong`() {
    runner.send(.latency(.milliseconds(1_500)))
    type("shiba")
    wait(5_000)
    #expect(state.search.items.map(\.name) == ["Shiba Inu"])
    #expect(state.naive.isWrong)
    #expect(state.naive.shown == "s")
    #expect(state.naive.items.map(\.name) == ["Samoyed", "Shiba Inu", "Saint Bernard"])
  }

  @Test func `latency is the same for both and has bounds`() {
    runner.send(.latency(.seconds(60)))
    #expect(state.latency == .seconds(3))
    runner.send(.search(.term("gr")))
    wait(2_499)
    #expect(state.naive.shown == nil)
    wait(1)
    #expect(state.naive.shown == "gr")
    wait(499)
    #expect(state.search.isLoading)
    wait(1)
    #expect(!state.search.isLoading)
    runner.send(.latency(.seconds(-1)))
    #expect(state.latency == .zero)
  }

  @Test func `an empty text shows nothing until an old response comes`() {
    runner.send(.search(.term("g")))
    runner.send(.search(.term("")))
    #expect(state.naive.requests == 1)
    #expect(state.naive.items == [] && !state.naive.isWrong)
    wait(1_000)
    #expect(state.naive.isWrong)
    #expect(state.naive.items.count == 4)
    #expect(state.search.items == [])
  }

  @Test func `naive requests have a limit`() {
    for number in 1...100 { runner.send(.search(.term("\(number)"))) }
    wait(0)
    #expect(state.keystrokes == 100)
    #expect(state.naive.requests == NaiveSearch<Dog>.limit)
    wait(1_000)
    #expect(state.naive.pending == 0)
    runner.send(.search(.term("a")))
    #expect(state.naive.requests == NaiveSearch<Dog>.limit + 1)
  }
}
