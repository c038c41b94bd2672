import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Trees of parts that load, are cancelled, reset, removed and renamed in any order, compared after each step with a
/// model.
@Suite(.timeLimit(.minutes(10))) struct ResetOrderTests {
  typealias Responses = PendingResponses<Int, Int>

  /// A part that loads a value and a list, and contains parts of the same type.
  struct Node: Screen {
    struct State: Equatable, Identifiable, Sendable {
      var id: Int
      var begun = 0
      var value = Loadable<Int>.idle
      var applied: [Int] = []
      var list = Feed<Entry>.State()
      var children: [State] = []
    }

    indirect enum Event: Sendable {
      case load(Int), loadAndRename(Int, id: Int), loadAndCancel(Int), rename(Int)
      case cancel, timer, stream
      case refresh(Int), cancelList, clearList, resetList
      case add(Int), remove(Int), reset(Int), resetAll
      case child(Int, Event)
    }

    let responses: Responses
    var initial: State { State(id: 0) }

    var parts: [Part<State, Event>] {
      [Part(\.list), Part(each: \.children, self) { .child($0, $1) }]
    }

    func begin(_ state: inout State, _ work: inout Work<State>) { state.begun += 1 }

    func loads(in state: State) -> [LoadStatus<Event>] {
      [
        LoadStatus(name: "load", isLoading: state.value.isLoading, failure: nil),
        LoadStatus(name: .feed.in(\State.list), isLoading: state.list.isLoading, failure: nil),
      ] + loadsOfParts(in: state)
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .load(let number): load(number, &work)
      case .loadAndRename(let number, let id):
        state.id = id
        load(number, &work)
      case .loadAndCancel(let number):
        load(number, &work)
        work.cancel("load")
      case .rename(let id): state.id = id
      case .cancel: work.cancel("load")
      case .timer: work.timer("load", after: .zero) { _, _ in }
      case .stream:
        work.follow("load") {
          AsyncStream<Int> { $0.finish() }
        } each: { _, _, _ in
        }
      case .refresh(let number):
        let feed = Feed { [responses] _ in Page([Entry(try await responses.next(for: number))]) }
        work.scope(\.list) { feed.handle(.refresh, &state.list, &$0) }
      case .cancelList: work.cancel(.feed.in(\State.list))
      case .clearList:
        let feed = Feed<Entry> { _ in Page([]) }
        work.scope(\.list) { feed.handle(.clear, &state.list, &$0) }
      case .resetList: state.list = .init()
      case .add(let id): state.children.append(State(id: id))
      case .remove(let id): state.children.removeAll { $0.id == id }
      case .reset(let id):
        for index in state.children.indices where state.children[index].id == id {
          state.children[index] = State(id: id)
        }
      case .resetAll: state = State(id: state.id)
      case .child(let id, let event):
        work.scope(each: \.children, id: id, &state) { handle(event, &$0, &$1) }
      }
    }

    private func load(_ number: Int, _ work: inout Work<State>) {
      work.latest("load", while: { $0.value.isLoading }) { [responses] in
        try await responses.next(for: number)
      } started: {
        $0.value.startLoading()
      } cancelled: {
        $0.value.cancelLoading()
      } finished: { state, result, _ in
        state.value.finishLoading(with: result)
        if case .success(let number) = result { state.applied.append(number) }
      }
    }
  }

  /// The expected state of a part.
  struct Model {
    var id: Int
    var begun: Int
    var loading: Int?
    var value = "idle"
    var applied: [Int] = []
    var listing: Int?
    var items: [Int] = []
    var children: [Model] = []

    init(id: Int, begun: Int) { (self.id, self.begun) = (id, begun) }

    var works: Bool { loading != nil || listing != nil || children.contains(where: \.works) }

    mutating func reset() {
      (begun, loading, value, applied) = (0, nil, "idle", [])
      (listing, items, children) = (nil, [], [])
    }

    mutating func change(_ id: Int, _ change: (inout Model) -> Void) {
      if let index = children.firstIndex(where: { $0.id == id }) { change(&children[index]) }
    }

    mutating func apply(_ event: Node.Event) {
      switch event {
      case .load(let number): loading = number
      case .loadAndRename(let number, let id): (loading, self.id) = (number, id)
      case .loadAndCancel, .cancel, .timer, .stream: loading = nil
      case .rename(let id): self.id = id
      case .refresh(let number): if listing == nil { listing = number }
      case .cancelList: listing = nil
      case .clearList, .resetList: (listing, items) = (nil, [])
      case .add(let id): children.append(Model(id: id, begun: 1))
      case .remove(let id): children.removeAll { $0.id == id }
      case .reset(let id): change(id) { $0.reset() }
      case .resetAll: reset()
      case .child(let id, let event): change(id) { $0.apply(event) }
      }
    }

    mutating func reply(_ number: Int, isSuccess: Bool) {
      if loading == number {
        loading = nil
        value = isSuccess ? "\(number)" : "failed"
        if isSuccess { applied.append(number) }
      }
      if listing == number {
        listing = nil
        if isSuccess { items = [number] }
      }
      for index in children.indices { children[index].reply(number, isSuccess: isSuccess) }
    }

    var text: String {
      let parts = children.map(\.text).joined(separator: " ")
      let value = loading != nil ? "loading" : applied.last.map { "\($0)" } ?? "-"
      return
        "\(id)[\(begun) \(value) \(applied) \(listing != nil ? "listing" : "-") \(items) \(parts)]"
    }
  }

  static func text(_ state: Node.State) -> String {
    let parts = state.children.map { text($0) }.joined(separator: " ")
    let value = state.value.isLoading ? "loading" : state.value.latest.map { "\($0)" } ?? "-"
    let list = state.list.isLoading ? "listing" : "-"
    return
      "\(state.id)[\(state.begun) \(value) \(state.applied) \(list) \(state.list.items.map(\.id)) \(parts)]"
  }

  @Test func `parts never show what is not their own`() async {
    let responses = Responses { $0 }
    await explore(
      ScreenProbe(Node(responses: responses), activity: nil),
      checking: [
        .model(Model(id: 0, begun: 1)) { model, step, probe in
          switch step.kind {
          case .event(let event as Node.Event): model.apply(event)
          case .response(let number as Int): model.reply(number, isSuccess: true)
          case .failure(let number as Int): model.reply(number, isSuccess: false)
          default: break
          }
          #expect(Self.text(probe.state) == model.text)
          #expect(probe.runner.isWorking == model.works)
        }
      ], steps: 5, runs: Fuzz.stories(full: 2_000), seed: Fuzz.seed(),
      events: { probe in
        let count = probe.records.count { if case .event = $0.record { true } else { false } }
        return Self.events(of: probe.state, count + 1).map { event in
          ExplorationStep("probe.send(\(event))", .event(event)) { probe.send(event) }
        }
      }
    ) { $0.begin() }
  }

  /// Returns the events of a part and of those in it, each with a new number.
  static func events(of node: Node.State, _ number: Int, depth: Int = 0) -> [Node.Event] {
    let child = node.children.last?.id ?? -1
    let own: [Node.Event] = [
      .load(number), .loadAndRename(number, id: number), .rename(number), .cancel, .timer, .stream,
      .loadAndCancel(number), .refresh(number), .cancelList, .clearList, .resetList, .add(number),
      .remove(child), .reset(child), .resetAll,
    ]
    if depth == 2 { return own }
    return own
      + node.children.flatMap { child in
        events(of: child, number, depth: depth + 1).map { .child(child.id, $0) }
      }
  }
}
