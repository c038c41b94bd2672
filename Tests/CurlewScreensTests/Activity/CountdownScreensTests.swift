import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Countdowns on each kind of screen, and of several loads.
@Suite(.timeLimit(.minutes(1)))
struct CountdownScreensTests {
  // MARK: Screens

  @Test func `a feed goes on with the page that failed`() {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Feed { try await pages.next(for: $0) })
    func reply(_ result: Result<Page<Entry>, any Error>) {
      pages.reply(result)
      probe.settle()
    }
    probe.send(.load)
    reply(.failure(Busy(.seconds(2))))
    probe.advance(by: .seconds(2))
    reply(.success(Page(1...3, next: .number(2))))
    probe.send(.more)
    reply(.failure(Busy(.seconds(4))))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [4])
    probe.advance(by: .seconds(4))
    #expect(pages.requested == [nil, nil, .number(2), .number(2)])
    reply(.success(Page(4...6)))
    #expect(probe.state.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    probe.send(.refresh)
    reply(.failure(Busy(.seconds(1))))
    #expect(probe.state.items.count == 6)
    probe.advance(by: .seconds(1))
    #expect(pages.requested.count == 6)
  }

  @Test func `a detail goes on`() {
    let responses = PendingResponses<Int, String>()
    let probe = ScreenProbe(
      Detail<Int, String, String>(known: { _ in "known" }, load: responses.next))
    probe.send(.show(1))
    responses.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    #expect(probe.state.known == "known")
    #expect(probe.activity.alerts.map(\.secondsLeft) == [3])
    // Another detail loads at once, and the countdown of this one ends.
    probe.advance(by: .seconds(1))
    probe.send(.show(2))
    responses.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    probe.advance(by: .seconds(3))
    #expect(responses.requested == [1, 2, 2])
  }

  @Test func `a screen that says no event leaves it to the person`() {
    let probe = ScreenProbe(Board(), checksLoads: false)
    probe.send(.postpone("a", .seconds(2)))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [2])
    probe.advance(by: .seconds(2))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [nil], "the error stays, at rest")
    #expect(probe.clock.sleepers == 0)
    let states = probe.activities
    probe.advance(by: .seconds(60))
    #expect(probe.activities == states)
  }

  // MARK: Several loads

  @Test func `each load has its own time`() {
    let probe = ScreenProbe(Board(retries: true), checksLoads: false)
    func left() -> [Int?] { probe.activity.alerts.map(\.secondsLeft) }
    probe.send(.postpone("a", .seconds(5)))
    probe.advance(by: .milliseconds(500))
    probe.send(.postpone("b", .seconds(2)))
    #expect(left() == [5, 2])
    #expect(probe.clock.sleepers == 1, "one timer for both")
    let count = probe.activities.count
    probe.advance(by: .seconds(1))
    #expect(left() == [4, 1])
    probe.advance(by: .milliseconds(999))
    #expect(probe.activities.count == count + 1, "one change a second, by what ends first")
    probe.advance(by: .milliseconds(1))
    #expect(probe.state.retried == ["b"])
    #expect(left() == [3])
    probe.advance(by: .milliseconds(2_499))
    #expect(left() == [1])
    probe.advance(by: .milliseconds(1))
    #expect(probe.state.retried == ["b", "a"])
    #expect(left() == [])
    probe.send(.end("a"))
    probe.send(.end("b"))
    probe.advance(by: .seconds(1))
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `loads with the same time go on together`() {
    let probe = ScreenProbe(Board(retries: true), checksLoads: false)
    probe.send(.postpone("a", .seconds(2)))
    probe.send(.postpone("b", .seconds(2)))
    probe.advance(by: .seconds(2))
    #expect(probe.state.retried == ["a", "b"])
  }

  @Test func `dismissing one leaves the other`() {
    let probe = ScreenProbe(Board(retries: true), checksLoads: false)
    probe.send(.postpone("a", .seconds(2)))
    probe.send(.postpone("b", .seconds(4)))
    probe.dismiss(1)
    probe.advance(by: .seconds(10))
    #expect(probe.state.retried == ["b"])
  }

  @Test func `another error begins anew`() {
    let probe = ScreenProbe(Board(retries: true), checksLoads: false)
    probe.send(.postpone("a", .seconds(2)))
    probe.advance(by: .seconds(1))
    probe.send(.postpone("a", .seconds(7)))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [7])
    probe.send(.fail("a", "no"))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [nil])
    #expect(probe.clock.sleepers == 0)
  }
}
