import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Trees of parts that load, are cancelled, reset, removed and renamed in random order, compared after each step with a
/// model that identifies parts by reference, not by name.
@Suite(.timeLimit(.minutes(10))) struct ResetInterleavingTests {
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

  /// The expected state of a part, identified by reference.
  final class Model {
    var id: Int
    var begun: Int
    var loading: Int?
    var value = "idle"
    var applied: [Int] = []
    var listing: Int?
    var items: [Int] = []
    var children: [Model] = []

    init(id: Int, begun: Int) { (self.id, self.begun) = (id, begun) }

    var all: [Model] { [self] + children.flatMap(\.all) }

    func reset() {
      (begun, loading, value, applied) = (0, nil, "idle", [])
      (listing, items, children) = (nil, [], [])
    }

    func endLoad() {
      loading = nil
    }

    func apply(_ event: Node.Event) {
      switch event {
      case .load(let number): loading = number
      case .loadAndRename(let number, let id): (loading, self.id) = (number, id)
      case .loadAndCancel, .cancel, .timer, .stream: endLoad()
      case .rename(let id): self.id = id
      case .refresh(let number): if listing == nil { listing = number }
      case .cancelList: listing = nil
      case .clearList, .resetList: (listing, items) = (nil, [])
      case .add(let id): children.append(Model(id: id, begun: 1))
      case .remove(let id): children.removeAll { $0.id == id }
      case .reset(let id): children.first { $0.id == id }?.reset()
      case .resetAll: reset()
      case .child(let id, let event): children.first { $0.id == id }?.apply(event)
      }
    }

    func reply(_ number: Int, isSuccess: Bool) {
      for node in all {
        if node.loading == number {
          node.loading = nil
          node.value = isSuccess ? "\(number)" : "failed"
          if isSuccess { node.applied.append(number) }
        }
        if node.listing == number {
          node.listing = nil
          if isSuccess { node.items = [number] }
        }
      }
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

  @Test func `parts never show what is not their own`() {
    tellStories("resets", count: 2_000) { generator in Self.tell(&generator) }
  }

  static func tell(_ generator: inout SeededGenerator) -> String? {
    let responses = Responses()
    let probe = ScreenProbe(Node(responses: responses))
    let model = Model(id: 0, begun: 1)
    var (last, told) = (0, [String]())
    probe.resume()
    for _ in 0..<Int.random(in: 4...24, using: &generator) {
      if !responses.waiting.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
        let number = responses.waiting.randomElement(using: &generator) ?? 0
        let isSuccess = Int.random(in: 0..<5, using: &generator) > 0
        told.append("reply \(number) \(isSuccess)")
        responses.reply(isSuccess ? .success(number) : .failure(Broken()), for: number)
        probe.settle()
        model.reply(number, isSuccess: isSuccess)
      } else {
        // A random path down the tree to an existing part.
        var (path, node) = ([Int](), model)
        while let child = node.children.randomElement(using: &generator),
          path.count < 3, Bool.random(using: &generator)
        {
          path.append(child.id)
          node = child
        }
        last += 1
        let event = action(last, on: node, &generator)
        let whole = path.reversed().reduce(event) { .child($1, $0) }
        told.append("\(whole)")
        probe.send(whole)
        model.apply(whole)
      }
      let (shown, expected) = (text(probe.state), model.text)
      if shown != expected { return "\(told.joined(separator: "\n"))\n\(shown)\nbut \(expected)" }
      let works = model.all.contains { $0.loading != nil || $0.listing != nil }
      if probe.runner.isWorking != works {
        return "\(told.joined(separator: "\n"))\nworks: \(!works)"
      }
      if !probe.runner.stuckLoads.isEmpty { return "\(told.joined(separator: "\n"))\nstuck" }
    }
    return nil
  }

  static func action(
    _ number: Int, on node: Model, _ generator: inout SeededGenerator
  ) -> Node.Event {
    let child = node.children.randomElement(using: &generator)?.id ?? -1
    return switch Int.random(in: 0..<19, using: &generator) {
    case 0...2: .load(number)
    case 3: .loadAndRename(number, id: number)
    case 4: .rename(number)
    case 5: .cancel
    case 6: .timer
    case 7: .stream
    case 8: .loadAndCancel(number)
    case 9, 10: .refresh(number)
    case 11: .cancelList
    case 12: .clearList
    case 13: .resetList
    case 14, 15: .add(number)
    case 16: .remove(child)
    case 17: .reset(child)
    default: .resetAll
    }
  }
}
