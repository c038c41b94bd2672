import CMemory
import CurlewScreens
import Dispatch
import Foundation
import OpenCombine
import OpenCombineDispatch
import Synchronization

/// Compares the runner's search with the same pipeline in OpenCombine: trimmed, debounced, distinct, latest response
/// only.
enum ScreenBenchmark {
  static func run() async {
    await idleMemory()
    await eventToState()
    RowsBenchmark.run()
  }

  /// Sends a number of events to a search, or to a row of 1,000 rows.
  static func events(_ arguments: some Collection<String>) {
    let count = arguments.compactMap { Int($0) }.last ?? 0
    if arguments.first == "row" {
      let runner = Runner(RowsBenchmark.List(count: 1_000))
      for event in 0..<count { runner.send(.row(event * 7_919 % 1_000, .touch)) }
    } else {
      let runner = Runner(Search<Int>(debounce: .zero) { [Int($0) ?? 0] })
      for term in 0..<count { runner.send(.term("\(term)")) }
    }
  }

  // MARK: Memory

  private static func idleMemory() async {
    let count = 10_000
    let search = Search<String> { [$0] }

    let model = bytes(for: count) { Runner(search) }

    // With a task that consumes the states and waits for the next state.
    let before = allocated()
    let runners = (0..<count).map { _ in Runner(search) }
    let consumers = runners.map { runner in
      Task { for await _ in runner.states {} }
    }
    try? await Task.sleep(for: .seconds(2))
    let consumed = Double(allocated() - before) / Double(count)
    for consumer in consumers { consumer.cancel() }

    let combine = bytes(for: count) { CombineSearch { _ in } }

    print("\nIdle search screen, bytes each, of \(count)")
    print("Curlew, runner".left(44) + model.text(0).right(8) + "   (at most 1,000)")
    print(
      "Curlew, runner and a task awaiting states".left(44) + consumed.text(0).right(8)
        + "   (at most 2,048)")
    print("OpenCombine, pipeline with a sink".left(44) + combine.text(0).right(8))
    print("Curlew (runner) / OpenCombine: \((model / combine).text())")
    print("Curlew (runner and task) / OpenCombine: \((consumed / combine).text())")
    withExtendedLifetime(runners) {}
  }

  private static func bytes<Thing>(for count: Int, _ make: () -> Thing) -> Double {
    let before = allocated()
    let things = (0..<count).map { _ in make() }
    let after = allocated()
    return withExtendedLifetime(things) { Double(after - before) / Double(count) }
  }

  /// Returns the number of allocated bytes.
  private static func allocated() -> Int { bytes_allocated() }

  // MARK: Time

  private static func eventToState() async {
    let count = 20_000
    let clock = ContinuousClock()

    // The state is updated when `send` returns.
    let runner = Runner(Search<Int>(debounce: .zero) { [Int($0) ?? 0] })
    var applied: [Double] = []
    for term in 1...count {
      let start = clock.now
      runner.send(.term("\(term)"))
      if runner.state.term == "\(term)" {
        applied.append(start.duration(to: clock.now) / .microseconds(1))
      }
    }

    // Measured until the loading state has reached another waiting task, which takes a single hop. The response never
    // arrives, so that each event causes a single state.
    let clockStarts = Mutex([String: ContinuousClock.Instant]())
    let (arrivals, arrival) = AsyncStream<Double>.makeStream()
    let consumed = Runner(
      Search<Int>(debounce: .zero) { _ in
        try await Task.sleep(for: .seconds(3_600))
        return []
      })
    let consumer = Task { @concurrent in
      var states = consumed.states.makeAsyncIterator()
      while let state = await states.next(isolation: #isolation) {
        let now = clock.now
        let start = clockStarts.withLock { $0[state.term ?? ""] }
        if let start { arrival.yield(start.duration(to: now) / .microseconds(1)) }
      }
    }
    var delivered: [Double] = []
    var seen = arrivals.makeAsyncIterator()
    for term in 1...count {
      clockStarts.withLock { $0 = ["\(term)": clock.now] }
      consumed.send(.term("\(term)"))
      if let time = await seen.next(isolation: #isolation) { delivered.append(time) }
    }
    consumer.cancel()

    // Measured until the state contains the search's results.
    let full = Runner(Search<Int>(debounce: .zero) { [Int($0) ?? 0] })
    var states = full.states.makeAsyncIterator()
    var responded: [Double] = []
    for term in 1...count {
      let start = clock.now
      full.send(.term("\(term)"))
      while let state = await states.next(isolation: #isolation), state.items != [term] {}
      responded.append(start.duration(to: clock.now) / .microseconds(1))
    }

    // OpenCombine: through a zero debounce, which hops to its queue, to the response in the sink.
    let (results, result) = AsyncStream<String>.makeStream()
    let peer = CombineSearch(debounce: .zero) { result.yield($0.first ?? "") }
    var combined: [Double] = []
    var sunk = results.makeAsyncIterator()
    for term in 1...count {
      let start = clock.now
      peer.send("\(term)")
      while let arrived = await sunk.next(isolation: #isolation), arrived != "\(term)" {}
      combined.append(start.duration(to: clock.now) / .microseconds(1))
    }

    print("\nEvent to state, quiet time zero, microseconds, median (p99) of \(count)")
    func line(_ name: String, _ all: [Double], _ goal: String = "") {
      let p99 = all.sorted()[all.count * 99 / 100]
      print(name.left(44) + all.median.text().right(8) + " (\(p99.text()))" + goal)
    }
    line("Curlew, event applied", applied, "   (at most 7)")
    line("Curlew, event to another task, one hop", delivered, "   (at most 10)")
    line("Curlew, event to the search's response", responded)
    line("OpenCombine, event to the search's response", combined)
    print("Curlew / OpenCombine, event to response: \((responded.median / combined.median).text())")
  }
}

/// The same search with OpenCombine's operators.
// @unchecked because only a single task uses it.
final class CombineSearch: @unchecked Sendable {
  private let subject = PassthroughSubject<String, Never>()
  private var subscription: AnyCancellable?

  init(
    debounce: DispatchQueue.OCombine.SchedulerTimeType.Stride = .milliseconds(500),
    _ receive: @escaping ([String]) -> Void
  ) {
    subscription =
      subject
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .debounce(for: debounce, scheduler: DispatchQueue.global().ocombine)
      .removeDuplicates()
      .map { term in Just([term]) }
      .switchToLatest()
      .sink(receiveValue: receive)
  }

  func send(_ text: String) { subject.send(text) }
}
