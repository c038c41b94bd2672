import Application
import CurlewScreens
import CurlewTesting
import Domain
import Testing

/// The generic search with a source that takes a second.
@Suite(.timeLimit(.minutes(1)))
struct DogSearchTests {
  let executor: TestExecutor
  let clock: TestClock
  let runner: Runner<DogSearch>

  init() {
    executor = TestExecutor()
    clock = TestClock(executor: executor)
    runner = Runner(DogSearch(ClockedDogs(clock: clock)), clock: clock, executor: .custom(executor))
  }

  func wait(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

  @Test func `dogs are there a quiet time and a second later`() {
    runner.send(.term("gr"))
    wait(500)
    #expect(runner.state.isLoading)
    wait(999)
    #expect(runner.state.isLoading)
    wait(1)
    #expect(runner.state.items.map(\.name) == ["Great Dane", "Great Pyrenees"])
  }
}
