import CurlewScreens
import CurlewTesting
import Testing

/// A dismissal or retry is meant for the alert that the user saw.
@Suite(.timeLimit(.minutes(1)))
struct AlertIdentityTests {
  /// Two loads whose names differ, but not their descriptions.
  struct Twins: Screen {
    struct State: Equatable {
      var part = 0
      var failures: [LoadFailure?] = [nil, nil]
      var retried: [Int] = []
    }

    enum Event { case fail(Int, String), retry(Int) }

    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .fail(let index, let words): state.failures[index] = LoadFailure(message: words)
      case .retry(let index):
        state.failures[index] = nil
        state.retried.append(index)
      }
    }

    func loads(in state: State) -> [LoadStatus<Event>] {
      let names: [WorkID] = ["part.load", WorkID.load.in(\State.part)]
      return names.indices.map { index in
        LoadStatus(
          name: names[index], isLoading: false, failure: state.failures[index],
          retry: .retry(index))
      }
    }
  }

  let probe = ScreenProbe(Twins(), checksLoads: false)

  var alerts: [ScreenActivity.Alert] { probe.activity.alerts }
  var messages: [String] { alerts.map(\.failure.message) }

  func fail(_ index: Int, _ words: String) { probe.send(.fail(index, words)) }

  @Test func `a dismissal leaves another load's alert of equal text`() {
    fail(0, "one")
    fail(1, "two")
    #expect(alerts.map { "\($0.name)" } == ["part.load", "part.load"])
    probe.dismiss(alerts[1].id)
    #expect(messages == ["one"])
  }

  @Test func `a retry is not another load's of equal text`() {
    fail(0, "one")
    fail(1, "two")
    probe.retry(alerts[1].id)
    #expect(messages == ["one"])
    #expect(probe.state.retried == [1])
  }

  @Test func `a dismissal leaves a newer failure of the same load`() {
    fail(0, "one")
    let seen = alerts[0]
    fail(0, "two")
    probe.dismiss(seen.id)
    #expect(messages == ["two"])
    probe.retry(seen.id)
    #expect(messages == ["two"] && probe.state.retried == [])
  }

  @Test func `an equal failure after a new load is a new alert`() {
    fail(0, "one")
    let seen = alerts[0]
    probe.send(.retry(0))
    fail(0, "one")
    probe.dismiss(seen.id)
    #expect(messages == ["one"])
  }
}

extension WorkID {
  fileprivate static let load: WorkID = "load"
}
