import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A countdown to the automatic retry of a load.
@Suite(.timeLimit(.minutes(1)))
struct CountdownTests {
  private let search = SearchSteps(Search<Entry>.self)

  private var probe: ScreenProbe<Search<Entry>> { search.probe }
  private var left: Int? { probe.activity.alerts.first?.secondsLeft }

  /// Searches, and gets a failure with a retry time.
  private func beRefused(for wait: Duration?) {
    probe.send(.term("a"))
    probe.send(.submit)
    search.pages.reply(.failure(Busy(wait)))
    probe.settle()
  }

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
    #expect(search.pages.requested.count == 1)
    probe.advance(by: .seconds(1))
    let values: [Int?] = probe.activities.map { $0.alerts.first?.secondsLeft }
      .reduce(into: []) { seen, value in if seen.last != .some(value) { seen.append(value) } }
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
    #expect(search.pages.requested.count == 1)
  }

  private static let scenarios =
    Scenario.all(
      after: "type a; submit;",
      """
      parts of a second are rounded up and end in time
        (busy 2300; wait 300; left 2; wait 1999|busy 7200000; wait 7199999|busy 1; wait 999)
        left 1; requested a; wait 1; requested a a
      nothing to wait for costs no timer
        page 1; sleepers 0; submit; busy 2000; sleepers 1; wait 2000; page 2; sleepers 0
        shows 2
      the screen tries again by itself and once
        busy 5000; wait 5000; requested a a; is loading; alerts 0; wait 60000; requested a a; page 1
        wait 60000; requested a a; is content; shows 1; sleepers 0
      a retry that fails again begins a new countdown
        busy 2000; wait 2000; (busy 2000; left 2; wait 1000|busy 9000; left 9; wait 8000); left 1
        requested a a; wait 1000; requested a a a; fail; left nothing; wait 100000; requested a a a
      dismissing ends it
        busy 5000; wait 1000; dismiss; alerts 0; sleepers 0; wait 60000; requested a
      a retry of the user ends it
        busy 5000; wait 1000; retry; page 1; sleepers 0; wait 60000; requested a a
      typing another term ends it, but half a term is not searched
        busy 1200; wait 1000; left 1; type ab; left nothing; alerts 1; wait 400; requested a
        wait 100; requested a ab; page 1; wait 60000; requested a ab; sleepers 0
      typing it again does not bring it back, and is searched as after every failure
        busy 9000; type ab; type a; left nothing; wait 500; requested a a; busy 8000; left 8
      an empty field ends it
        busy 9000; type; alerts 0; sleepers 0
      a suspended screen finds the right time
        busy 60000; wait 500; suspend; sleepers 0; wait 40000; left 60; resume; left 20
        wait 500; left 19; suspend; wait 60000; requested a; resume; requested a a
      """)
    + Scenario.all("a search without a load waits for nothing\n  sleepers 0")

  private static let paged = Scenario.all(
    """
    a search in pages goes on until another term is typed
      type a; submit; page 1..3 next 2; list more; busy 5000; wait 5000; requested a a/2 a/2
      busy 5200; wait 5000; left 1; type b; left nothing; alerts 1; wait 400; requested a a/2 a/2
      wait 100; loads b; page 7 8; sleepers 0
    """)

  @Test(arguments: paged) func `a paged search counts down`(scenario: Scenario) throws {
    try scenario.run(SearchSteps(PagedSearch<Entry>.self).perform)
  }

  @Test(arguments: scenarios) func `a countdown ends as its scenario says`(scenario: Scenario)
    throws
  {
    try scenario.run(search.perform)
  }
}
