import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
  @Test func waitingForSleepersEndsWithItsTask() async {
    let clock = TestClock()
    let waiting = Task { await clock.waitForSleepers() }
    waiting.cancel()
    await waiting.value
    #expect(clock.sleepers == 0)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func clockIsFreeWhileItWakesWhoWaitsForSleepers() async {
    let clock = TestClock()
    let waiting = LockedTask { await clock.waitForSleepers() }
    for _ in 0..<100 { await Task.yield() }
    let isFree = await waiting.isFree {
      _ = clock.now
    } whileResumedBy: {
      Task { try await clock.sleep(for: .seconds(1)) }
    }
    #expect(isFree)
    await waiting.end()
    clock.advance(by: .seconds(1))
  }
}
