import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// The records that a runner's observer gets.
@Suite(.timeLimit(.minutes(1)))
struct RecordTests {
  let responses = PendingResponses<String, [String]>()
  let probe: ScreenProbe<Search<String>>

  init() {
    let responses = responses
    probe = ScreenProbe(Search { try await responses.next(for: $0) })
  }

  /// Short texts of all records.
  var told: [String] {
    probe.records.map { _, record in
      switch record {
      case .delivered(let result, let id, _): "\(id) delivered \((try? result.get()) != nil)"
      case .suspended(let isSuspended): "suspended \(isSuspended)"
      case .event(let event): "\(event)"
      case .work(let id, let step, _): "\(id) \(step)"
      case .state(let state): "\(state.text) \(state.isLoading ? "loading" : "resting")"
      case .activity: "activity"
      }
    }
  }

  @Test func `event work and state are told in order and with their times`() {
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(500))
    responses.reply(.success(["1"]))
    probe.settle()
    #expect(
      told == [
        #"term("a")"#, "search waiting(delay: 0.5 seconds)", "a resting", "search started",
        "a loading", "search delivered true", "search finished(error: nil)", "a resting",
      ])
    #expect(
      probe.records.map(\.time)
        == [0, 0, 0, 500, 500, 500, 500, 500].map { .milliseconds($0) })
  }

  @Test func `replaced cancelled and failed work is told`() {
    for text in ["a", "b"] {
      probe.send(.term(text))
      probe.send(.submit)
    }
    probe.send(.term(""))
    probe.send(.term("c"))
    probe.send(.submit)
    responses.reply(.failure(Broken(words: "It broke.")), to: 2)
    probe.settle()
    let steps = probe.steps
    #expect(
      steps.dropLast() == [.started, .replaced, .started, .cancelled, .started])
    #expect(steps.last == .finished(error: #"Broken(words: "It broke.")"#))
  }

  @Test func `suspended work is cancelled and starts again`() {
    probe.send(.term("a"))
    probe.send(.submit)
    probe.suspend()
    probe.send(.term("b"))
    probe.send(.submit)
    probe.resume()
    #expect(probe.steps == [.started, .cancelled, .started])
  }

  @Test func `work that only waited is not told`() {
    probe.send(.term("a"))
    probe.send(.term("ab"))
    probe.send(.term(""))
    #expect(probe.steps == [])
    #expect(
      probe.waits
        == [.waiting(delay: .milliseconds(500)), .waiting(delay: .milliseconds(500)), .cancelled])
  }

  @Test func `a wait ends in a start or is skipped`() {
    probe.send(.term("a"))
    probe.send(.submit)
    responses.reply(.success(["1"]))
    probe.settle()
    #expect(probe.waits == [.waiting(delay: .milliseconds(500))])
    probe.send(.term("ab"))
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(500))
    #expect(probe.waits.suffix(1) == [.skipped])
    #expect(probe.steps.count == 2)
  }

  @Test func `the steps of a run have its number`() {
    for text in ["a", "b"] {
      probe.send(.term(text))
      probe.send(.submit)
    }
    responses.reply(.success(["1"]), to: 1)
    probe.settle()
    let runs = probe.records.compactMap { _, record in
      if case .work(_, _, let run) = record, run > 0 { run } else { UInt64?.none }
    }
    #expect(probe.steps == [.started, .replaced, .started, .finished(error: nil)])
    #expect(runs[0] == runs[1] && runs[2] == runs[3] && runs[0] != runs[2])
  }

  @Test func `models observer is called on the main actor only`() async {
    let responses = responses
    let model = await MainActor.run {
      let model = ScreenModel(
        Search<String> { try await responses.next(for: $0) },
        observer: { _, _ in MainActor.assumeIsolated {} })
      model.send(.term("a"))
      model.send(.submit)
      return Held(model)
    }
    // Dropped with a load in flight, where an observer on the wrong thread would crash.
    await Task { @concurrent in model.drop() }.value
    #expect(model.isEmpty)
  }

  final class Held: Sendable {
    private let model: Mutex<ScreenModel<Search<String>>?>
    var isEmpty: Bool { model.withLock { $0 == nil } }
    init(_ model: ScreenModel<Search<String>>) { self.model = Mutex(model) }
    func drop() { model.withLock { $0 = nil } }
  }

  @Test func `model is observed too`() async {
    await MainActor.run {
      let events = Events()
      let model = ScreenModel(Search<String> { [$0] }, observer: { events.add($1) })
      model.send(.term("a"))
      #expect(events.count == 3)
    }
  }

  final class Events: Sendable {
    private let records = Mutex<[RunnerRecord<Search<String>>]>([])
    var count: Int { records.withLock { $0.count } }
    func add(_ record: RunnerRecord<Search<String>>) { records.withLock { $0.append(record) } }
  }
}
