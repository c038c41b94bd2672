import CurlewScreens
import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestExecutorTests {
  @Test func `a job from elsewhere ends the wait for it`() async throws {
    let executor = TestExecutor()
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    let task = executor.task { await numbers.first { _ in true } }
    executor.drain()
    Task.detached { number.yield(7) }
    await executor.waitForJob()
    executor.drain()
    #expect(try await task.value == 7)
  }

  @Test func `a screen in a task works on its executor`() async throws {
    let executor = TestExecutor()
    let task = executor.task {
      let runner = Runner(Search<Int> { _ in [1] }, clock: TestClock(executor: executor))
      runner.send(.term("a"))
      runner.send(.submit)
      return runner
    }
    executor.drain()
    #expect(try await task.value.state.items == [1])
  }
}
