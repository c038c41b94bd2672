import CurlewScreens

/// Measures a search beside 1,000 rows that each load a value.
enum RowsBenchmark {
  /// A row that loads until it is removed or loads again.
  struct Row: Screen {
    enum Event { case load, touch }

    struct State: Equatable, Identifiable {
      let id: Int
      var title = "A row with a title of an ordinary length"
      var loads = 0
    }

    var initial: State { State(id: 0) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .touch: state.loads += 1
      case .load:
        work.latest("load") {
          try await Task.sleep(for: .seconds(3_600))
        } started: {
          $0.loads += 1
        } finished: { _, _, _ in
        }
      }
    }
  }

  struct List: Screen {
    enum Event { case search(Search<Int>.Event), row(Int, Row.Event) }

    struct State: Equatable {
      var search = Search<Int>.State()
      var rows: [Row.State]
    }

    let count: Int
    private let search = Search<Int>(debounce: .zero) { [Int($0) ?? 0] }
    private let row = Row()
    var initial: State { State(rows: (0..<count).map { Row.State(id: $0) }) }

    var parts: [Part<State, Event>] { [Part(\.search, search), Part(each: \.rows, row)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .search(let event): work.scope(\.search) { search.handle(event, &state.search, &$0) }
      case .row(let id, let event):
        work.scope(each: \.rows, id: id, &state) { row.handle(event, &$0, &$1) }
      }
    }
  }

  static func run() {
    print("\nEvent applied, microseconds, median (p99)")
    for count in [0, 1_000] {
      let runner = Runner(List(count: count))
      for id in 0..<count { runner.send(.row(id, .load)) }
      let terms = (1...5_000).map { List.Event.search(.term("\($0)")) }
      line("Search, \(count) loading rows beside it", runner, terms, "   (at most 100)")
      guard count > 0 else { continue }
      let ids = (0..<5_000).map { ($0 * 7_919) % count }
      line(
        "One of the \(count) rows changes", runner, ids.map { .row($0, .touch) }, "   (at most 60)")
      line("One of the \(count) rows loads again", runner, ids.map { .row($0, .load) })
    }
  }

  private static func line(
    _ name: String, _ runner: Runner<List>, _ events: [List.Event], _ goal: String = ""
  ) {
    let clock = ContinuousClock()
    let times = events.map { event in
      let start = clock.now
      runner.send(event)
      return start.duration(to: clock.now) / .microseconds(1)
    }
    let p99 = times.sorted()[times.count * 99 / 100]
    print(name.left(44) + times.median.text().right(8) + " (\(p99.text()))" + goal)
  }
}
