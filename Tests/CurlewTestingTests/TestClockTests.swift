import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
  @Test func `waiting for sleepers ends with its task`() async {
    let clock = TestClock()
    let waiting = Task { await clock.waitForSleepers() }
    waiting.cancel()
    await waiting.value
    #expect(clock.sleepers == 0)
  }
}
