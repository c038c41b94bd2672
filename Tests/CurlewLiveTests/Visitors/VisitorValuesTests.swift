import CurlewLive
import CurlewTesting
import Testing

/// How long the values of visitors are kept.
@Suite(.timeLimit(.minutes(1)))
struct VisitorValuesTests {
  private final class Box: Sendable {
    let owner: String
    init(_ owner: String) { self.owner = owner }
  }

  private func pass(_ count: Int, _ clock: TestClock) async {
    for _ in 0..<count {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
    }
    await clock.waitForSleepers()
  }

  @Test func `a value is kept while it is used and a minute longer`() async {
    let clock = TestClock()
    let values = VisitorValues(clock: clock) { Box($0) }
    let used = values["ada"]
    weak var left = values["bo"]
    #expect(used.owner == "ada" && left?.owner == "bo")
    await pass(6, clock)
    #expect(left != nil, "it has not been used for a minute")
    await pass(1, clock)
    #expect(left == nil)
    await pass(100, clock)
    #expect(values["ada"] === used)
    #expect(values["bo"].owner == "bo")
  }

  @Test func `the value that was used before all others makes room`() async {
    let clock = TestClock()
    let values = VisitorValues(limit: 2, clock: clock) { Box($0) }
    let (ada, bo) = (values["ada"], values["bo"])
    clock.advance(by: .seconds(1))
    #expect(values["ada"] === ada)
    clock.advance(by: .seconds(1))
    let cy = values["cy"]
    #expect(values["ada"] === ada && values["cy"] === cy)
    #expect(values["bo"] !== bo)
  }
}
