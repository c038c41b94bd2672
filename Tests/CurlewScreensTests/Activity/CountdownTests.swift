import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A countdown to the automatic retry of a load.
@Suite(.timeLimit(.minutes(1)))
struct CountdownTests {
  let transfers = PendingResponses<String, [Int]>()
  let probe: ScreenProbe<Search<Int>>

  init() {
    let transfers = transfers
    probe = ScreenProbe(Search { try await transfers.next(for: $0) })
  }

  var left: Int? { probe.activity.alerts.first?.secondsLeft }
  /// The countdown's values so far, without adjacent repetitions; `nil` while there is no countdown.
  var values: [Int?] {
    probe.activities.map { $0.alerts.first?.secondsLeft }.reduce(into: []) { seen, value in
      if seen.last != .some(value) { seen.append(value) }
    }
  }

  func search(_ text: String) {
    probe.send(.term(text))
    probe.send(.submit)
  }

  func reply(_ result: Result<[Int], any Error>) {
    transfers.reply(result)
    probe.settle()
  }

  /// Searches, and gets a failure with a retry time.
  func beRefused(for wait: Duration?) {
    search("a")
    reply(.failure(Busy(wait)))
  }

  // MARK: Counting

  @Test func `seconds count down one by one`() {
    beRefused(for: .seconds(3))
    #expect(left == 3)
    #expect(probe.activity.alerts.map(\.failure.message) == ["Busy."])
    for second in [2, 1] {
      probe.advance(by: .milliseconds(999))
      #expect(left == second + 1)
      probe.advance(by: .milliseconds(1))
      #expect(left == second)
    }
    #expect(transfers.requested.count == 1)
    probe.advance(by: .seconds(1))
    #expect(values == [nil, 3, 2, 1, nil])
  }

  @Test func `the activity changes once a second`() {
    beRefused(for: .seconds(60))
    let count = probe.activities.count
    probe.advance(by: .seconds(59))
    #expect(probe.activities.count == count + 59)
    #expect(probe.clock.sleepers == 1, "one timer")
    #expect(!probe.runner.isWorking, "who waits does no work")
  }

  @Test(arguments: [
    (Duration.milliseconds(2_300), [(300, 2), (1_999, 1)]), (.seconds(7_200), [(7_199_999, 1)]),
    (.milliseconds(1), [(999, 1)]),
  ])
  func `parts of a second are rounded up and end in time`(wait: Duration, steps: [(Int, Int)]) {
    beRefused(for: wait)
    let passed = steps.reduce(0) { $0 + $1.0 } + 1
    // The screen waits at least a second between requests.
    #expect(max(wait, .seconds(1)) == .milliseconds(passed))
    for (milliseconds, seconds) in steps {
      probe.advance(by: .milliseconds(milliseconds))
      #expect(left == seconds)
    }
    #expect(transfers.requested.count == 1)
    probe.advance(by: .milliseconds(1))
    #expect(transfers.requested.count == 2)
  }

  @Test(
    arguments: [
      nil, .zero, .seconds(-5), .seconds(86_401), .seconds(Int64.max), .seconds(Int64.min),
    ] as [Duration?])
  func `without a time that one can wait for there is no countdown`(wait: Duration?) {
    beRefused(for: wait)
    #expect(left == nil)
    #expect(probe.activity.alerts.map(\.failure.message) == ["Busy. Try again later."])
    #expect(probe.clock.sleepers == 0)
    probe.advance(by: .seconds(100_000))
    #expect(transfers.requested.count == 1)
  }

  @Test func `nothing to wait for costs no timer`() {
    #expect(probe.clock.sleepers == 0)
    search("a")
    reply(.success([1]))
    #expect(probe.clock.sleepers == 0)
    beRefused(for: .seconds(2))
    #expect(probe.clock.sleepers == 1)
    probe.advance(by: .seconds(2))
    reply(.success([2]))
    #expect(probe.clock.sleepers == 0)
    #expect(probe.state.items == [2])
  }

  // MARK: Retrying

  @Test func `the screen tries again by itself and once`() {
    beRefused(for: .seconds(5))
    probe.advance(by: .seconds(5))
    #expect(transfers.requested == ["a", "a"])
    #expect(probe.state.isLoading)
    #expect(probe.activity.alerts.isEmpty)
    probe.advance(by: .seconds(60))
    #expect(transfers.requested.count == 2)
    reply(.success([1]))
    probe.advance(by: .seconds(60))
    #expect(transfers.requested.count == 2)
    #expect(probe.state.results == .content([1]))
    #expect(probe.clock.sleepers == 0)
  }

  @Test(arguments: [2, 9])
  func `a retry that fails again begins a new countdown`(second: Int) {
    beRefused(for: .seconds(2))
    probe.advance(by: .seconds(2))
    reply(.failure(Busy(.seconds(second))))
    #expect(left == second)
    probe.advance(by: .seconds(second - 1))
    #expect(left == 1)
    #expect(transfers.requested.count == 2)
    probe.advance(by: .seconds(1))
    #expect(transfers.requested.count == 3)
    reply(.failure(Broken()))
    #expect(left == nil)
    probe.advance(by: .seconds(100))
    #expect(transfers.requested.count == 3, "an error without a time is left to the user")
  }

  // MARK: The end of a countdown

  @Test func `dismissing ends it`() {
    beRefused(for: .seconds(5))
    probe.advance(by: .seconds(1))
    probe.dismiss(1)
    #expect(probe.activity.alerts.isEmpty)
    #expect(probe.clock.sleepers == 0)
    probe.advance(by: .seconds(60))
    #expect(transfers.requested.count == 1)
  }

  @Test func `a retry of the person ends it`() {
    beRefused(for: .seconds(5))
    probe.advance(by: .seconds(1))
    probe.send(.retry)
    reply(.success([1]))
    #expect(probe.clock.sleepers == 0)
    probe.advance(by: .seconds(60))
    #expect(transfers.requested.count == 2)
  }

  @Test func `typing another term ends it`() {
    beRefused(for: .milliseconds(1_200))
    probe.advance(by: .seconds(1))
    #expect(left == 1)
    probe.send(.term("ab"))
    #expect(left == nil)
    #expect(
      probe.activity.alerts.count == 1, "the error stays until something takes its place")
    probe.advance(by: .milliseconds(400))
    #expect(transfers.requested == ["a"], "half a word is not searched because a wait is over")
    probe.advance(by: .milliseconds(100))
    #expect(transfers.requested == ["a", "ab"])
    reply(.success([1]))
    probe.advance(by: .seconds(60))
    #expect(transfers.requested == ["a", "ab"])
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `typing it again does not bring it back`() {
    beRefused(for: .seconds(9))
    probe.send(.term("ab"))
    probe.send(.term("a"))
    #expect(left == nil)
    // As after every failure, the term is searched after the debounce interval.
    probe.advance(by: .milliseconds(500))
    #expect(transfers.requested == ["a", "a"])
    reply(.failure(Busy(.seconds(8))))
    #expect(left == 8)
  }

  @Test func `an empty field ends it`() {
    beRefused(for: .seconds(9))
    probe.send(.term(""))
    #expect(probe.activity.alerts.isEmpty)
    #expect(probe.clock.sleepers == 0)
  }

  // MARK: Suspended

  @Test func `a suspended screen finds the right time`() {
    beRefused(for: .seconds(60))
    probe.advance(by: .milliseconds(500))
    probe.runner.suspend()
    #expect(probe.clock.sleepers == 0)
    probe.advance(by: .seconds(40))
    #expect(left == 60)
    probe.runner.resume()
    probe.settle()
    #expect(left == 20)
    probe.advance(by: .milliseconds(500))
    #expect(left == 19)
    probe.runner.suspend()
    probe.advance(by: .seconds(60))
    #expect(transfers.requested.count == 1)
    probe.runner.resume()
    probe.settle()
    #expect(transfers.requested.count == 2)
  }
}
