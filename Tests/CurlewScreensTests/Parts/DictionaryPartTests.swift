import CurlewScreens
import CurlewTesting
import Testing

/// Parts that are the values of a dictionary.
@Suite(.timeLimit(.minutes(1)))
struct DictionaryPartTests {
  private struct Host: Screen {
    struct State: Equatable {
      var hasBegun = false
      var status = Loadable<Int>.idle
      var changes = 0
    }

    enum Event { case load }

    let responses: PendingResponses<String, Int>
    let name: String
    let initial = State()

    init(_ responses: PendingResponses<String, Int>, named name: String = "") {
      (self.responses, self.name) = (responses, name)
    }

    func begin(_ state: inout State, _ work: inout Work<State>) { state.hasBegun = true }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      let name = name
      work.latest("load") { [responses] in
        try await responses.next(for: name)
      } started: {
        $0.status.startLoading()
      } cancelled: {
        $0.status.cancelLoading()
      } finished: { state, result, _ in
        state.status.finishLoading(with: result)
      }
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      if state.status.latest != nil, state.changes == 0 { state.changes = 1 }
    }

    func loads(in state: State) -> [LoadStatus<Event>] {
      [
        LoadStatus(
          name: "load", isLoading: state.status.isLoading, failure: state.status.failure,
          retry: .load)
      ]
    }
  }

  private struct Hosts: Screen {
    struct State: Equatable { var hosts: [String: Host.State] = [:] }

    enum Event { case add(String), remove(String), host(String, Host.Event) }

    let responses = PendingResponses<String, Int>()
    let initial = State()
    var parts: [Part<State, Event>] { [Part(each: \.hosts, Host(responses), event: Event.host)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .add(let name): state.hosts[name] = Host.State()
      case .remove(let name): state.hosts[name] = nil
      case .host(let name, let event):
        work.scope(each: \.hosts, id: name, &state) {
          Host(responses, named: name).handle(event, &$0, &$1)
        }
      }
    }
  }

  private struct Busy: RetryAfterError {
    let retryAfter: Duration? = .seconds(5)
  }

  private let hosts = Hosts()
  private let probe: ScreenProbe<Hosts>

  init() {
    probe = ScreenProbe(hosts)
    for name in ["b", "a", "c"] { send(.add(name)) }
  }

  private func send(_ event: Hosts.Event) { probe.send(event) }

  private func state(_ name: String) -> Host.State? { probe.state.hosts[name] }

  @Test func `values begin, load and follow their changes`() {
    #expect(probe.state.hosts.values.allSatisfy { $0.hasBegun })
    send(.host("a", .load))
    send(.host("b", .load))
    hosts.responses.reply(.success(2), for: "b")
    hosts.responses.reply(.success(1), for: "a")
    probe.settle()
    #expect(state("a")?.status == .content(1) && state("b")?.status == .content(2))
    #expect(state("a")?.changes == 1 && state("c")?.changes == 0)
  }

  @Test func `a removed value's load is cancelled`() {
    send(.host("a", .load))
    send(.remove("a"))
    #expect(!probe.runner.isWorking)
    send(.add("a"))
    hosts.responses.reply(.success(1), for: "a")
    probe.settle()
    #expect(state("a")?.status == .idle)
    send(.host("z", .load))
    #expect(!probe.runner.isWorking)
  }

  @Test func `alerts are in the order of the keys, and load again`() {
    for name in ["c", "a", "b"] {
      send(.host(name, .load))
      hosts.responses.reply(.failure(Busy()), for: name)
      probe.settle()
    }
    #expect(
      probe.activity.alerts.map { "\($0.name)" }
        == ["hosts[a].load", "hosts[b].load", "hosts[c].load"])
    probe.advance(by: .seconds(5))
    #expect(hosts.responses.waiting.sorted() == ["a", "b", "c"])
  }
}
