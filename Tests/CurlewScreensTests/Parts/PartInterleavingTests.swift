import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Composed screens under random orders of events, results, failures, cancellations, suspends and resumes: no loading
/// state gets stuck, no result reaches another part, and each write is called exactly once.
///
/// `CURLEW_STORIES=10000 make test FILTER=PartInterleavingTests` runs that many stories of each kind.
@Suite(.timeLimit(.minutes(10)))
struct PartInterleavingTests {
  /// A part that does every kind of work; each result names the part and load that it belongs to.
  struct Leaf: Screen {
    enum Event { case load(Int), later(Int), chain(Int), save(Int), listen(Int), tick, stop }

    struct State: Equatable, Identifiable {
      let id: Int
      /// Distinguishes parts with the same id.
      let serial: Int
      var loading: Int?
      var told: [String] = []
      var saving = 0
      var ticks = 0

      var name: String { "\(id).\(serial)" }
    }

    let responses: PendingResponses<String, String>
    var initial: State { State(id: 0, serial: 0) }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      let name = state.name
      switch event {
      case .load(let number): load(number, name, after: .zero, &work)
      case .later(let number): load(number, name, after: .milliseconds(300), &work)
      case .chain(let number):
        work.latest("load") { [responses] in
          try await responses.next(for: "\(name) load \(number)")
        } started: {
          $0.loading = number
        } finished: { state, result, work in
          state.told.append((try? result.get()) ?? "\(name) failed")
          load(number, name, after: .zero, &work)
        }
      case .save(let number):
        work.write("save") { [responses] in
          try await responses.next(for: "\(name) write \(number)")
        } started: {
          $0.saving += 1
        } finished: { state, result, _ in
          state.saving -= 1
          state.told.append((try? result.get()) ?? "\(name) failed")
        }
      case .listen(let number):
        work.follow("listen") { [responses] in
          AsyncThrowingStream { try await responses.next(for: "\(name) listen \(number)") }
        } each: { state, told, _ in
          state.told.append(told)
        }
      case .tick:
        work.timer("tick", after: .milliseconds(200)) { state, _ in state.ticks += 1 }
      case .stop:
        state.loading = nil
        work.cancel("load")
        work.cancel("listen")
        work.cancel("tick")
      }
    }

    private func load(
      _ number: Int, _ name: String, after delay: Duration, _ work: inout Work<State>
    ) {
      work.latest("load", after: delay) { [responses] in
        try await responses.next(for: "\(name) load \(number)")
      } started: {
        $0.loading = number
      } finished: { state, result, _ in
        state.loading = nil
        state.told.append((try? result.get()) ?? "\(name) failed")
      }
    }
  }

  struct House: Screen {
    enum Event {
      case left(Leaf.Event), right(Leaf.Event), sheet(Leaf.Event), row(Int, Leaf.Event)
      case open(id: Int, serial: Int), close, add(id: Int, serial: Int), remove(Int), move
    }

    struct State: Equatable {
      var left = Leaf.State(id: -1, serial: 0)
      var right = Leaf.State(id: -2, serial: 0)
      var sheet: Leaf.State?
      var rows: [Leaf.State] = []

      var leaves: [Leaf.State] { [left, right] + (sheet.map { [$0] } ?? []) + rows }
    }

    let responses = PendingResponses<String, String>()
    var leaf: Leaf { Leaf(responses: responses) }
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .left(let event): work.scope(\.left) { leaf.handle(event, &state.left, &$0) }
      case .right(let event): work.scope(\.right) { leaf.handle(event, &state.right, &$0) }
      case .sheet(let event):
        work.scope(presented: \.sheet, &state) { leaf.handle(event, &$0, &$1) }
      case .row(let id, let event):
        work.scope(each: \.rows, id: id, &state) { leaf.handle(event, &$0, &$1) }
      case .open(let id, let serial):
        // A new part with the same id comes only after the old part was removed.
        if state.sheet?.id != id { state.sheet = Leaf.State(id: id, serial: serial) }
      case .close: state.sheet = nil
      case .add(let id, let serial):
        if !state.rows.contains(where: { $0.id == id }) {
          state.rows.insert(Leaf.State(id: id, serial: serial), at: state.rows.count / 2)
        }
      case .remove(let id): state.rows.removeAll { $0.id == id }
      case .move: state.rows.reverse()
      }
    }
  }

  enum Cast: String, CaseIterable { case twoParts, sheet, rows, writes, everything }

  @Test(arguments: Cast.allCases)
  func `every interleaving keeps the promises`(cast: Cast) {
    tellStories("\(cast)", count: 1_200) { generator in Self.tell(cast, &generator) }
  }

  /// Runs stories on real threads: four threads send events, suspend and resume, while another replies and advances the
  /// clock.
  @Test func `every race keeps the promises`() async {
    await tellStories("races", count: 400) { seed in
      let screen = House()
      let responses = screen.responses
      let records = Mutex<[RunnerRecord<House>]>([])
      let clock = TestClock()
      let runner = Runner(
        screen, clock: clock, observer: { _, record in records.withLock { $0.append(record) } })
      let replying = Task { @concurrent in
        var generator = SeededGenerator(seed: seed)
        while !Task.isCancelled {
          if let question = responses.waiting.first {
            let fails = generator.chance(oneIn: 3) || question.contains("listen")
            responses.reply(fails ? .failure(Broken()) : .success(question))
          } else {
            clock.advance(by: .milliseconds(50))
            await Task.yield()
          }
        }
      }
      let sent = await withTaskGroup(of: [PendingWork].self) { group in
        for thread in 0..<4 {
          group.addTask { @concurrent in
            var generator = SeededGenerator(seed: seed &+ UInt64(1_000 * thread))
            return (1...40).compactMap { number in
              switch generator.pick(0...11) {
              case 0: runner.suspend()
              case 1: runner.resume()
              default:
                let number = thread * 1_000 + number
                return runner.send(Self.event(.everything, number, &generator))
              }
              return nil
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      runner.resume()
      for event in sent { await event.finished() }
      await runner.writes.finished()
      await runner.waitUntilIdle()
      replying.cancel()
      await replying.value
      let state = runner.state
      return Self.problem(in: state) ?? Self.problemOfLeaves(in: state)
        ?? Self.problemOfWrites(responses.requested, records.withLock { $0 })
    }
  }

  private static func leafEvent(
    _ cast: Cast, _ number: Int, _ generator: inout SeededGenerator
  ) -> Leaf.Event {
    if cast == .writes, !generator.chance(oneIn: 3) { return .save(number) }
    return switch generator.pick(0...8) {
    case 0, 1: .load(number)
    case 2: .later(number)
    case 3: .chain(number)
    case 4, 5: .save(number)
    case 6: .listen(number)
    case 7: .tick
    default: .stop
    }
  }

  private static func event(
    _ cast: Cast, _ number: Int, _ generator: inout SeededGenerator
  ) -> House.Event {
    let leaf = leafEvent(cast, number, &generator)
    let parts: ClosedRange<Int> =
      switch cast {
      case .twoParts: 0...1
      case .sheet: 2...5
      case .rows: 6...12
      case .writes, .everything: 0...12
      }
    return switch generator.pick(parts) {
    case 0: .left(leaf)
    case 1: .right(leaf)
    case 2, 3: .sheet(leaf)
    case 4: .open(id: generator.pick(1...2), serial: number)
    case 5: .close
    case 6: .add(id: generator.pick(1...4), serial: number)
    case 7: .remove(generator.pick(1...4))
    case 8: .move
    default: .row(generator.pick(1...4), leaf)
    }
  }

  private static func tell(_ cast: Cast, _ generator: inout SeededGenerator) -> String? {
    let screen = House()
    let probe = ScreenProbe(screen)
    let responses = screen.responses
    var sent: [PendingWork] = []
    func reply(at index: Int, fails: Bool) {
      let question = responses.waiting[index]
      responses.reply(fails ? .failure(Broken()) : .success(question), to: index)
    }
    for number in 1...generator.pick(5...40) {
      switch generator.pick(0...9) {
      case 0...4:
        let event = event(cast, number, &generator)
        // Sends without running work in between, like fast taps.
        if generator.chance(oneIn: 4) {
          sent.append(probe.runner.send(event))
        } else {
          sent.append(probe.send(event))
        }
      case 5, 6:
        if !responses.waiting.isEmpty {
          let index = generator.pick(0...responses.waiting.count - 1)
          reply(at: index, fails: generator.chance(oneIn: 3))
          if !generator.chance(oneIn: 4) { probe.settle() }
        }
      case 7: probe.advance(by: .milliseconds(generator.pick(0...400)))
      case 8: probe.runner.suspend()
      default: probe.runner.resume()
      }
      if let problem = problem(in: probe.state) { return problem }
    }
    // Every story ends with a result for every load, and with finished streams.
    probe.runner.resume()
    probe.advance(by: .seconds(1))
    var rounds = 0
    while !responses.waiting.isEmpty {
      reply(at: 0, fails: rounds > 20)
      probe.advance(by: .seconds(1))
      rounds += 1
      if rounds > 2_000 { return "it never ends: \(responses.waiting)" }
    }
    return problem(in: probe.state) ?? problemAtRest(probe, responses, sent)
  }

  private static func problem(in state: House.State) -> String? {
    for leaf in state.leaves {
      let prefix = leaf.name + " "
      if let told = leaf.told.first(where: { !$0.hasPrefix(prefix) }) {
        return "\(told) reached \(leaf.name)"
      }
      if leaf.saving < 0 { return "a write of \(leaf.name) ended twice" }
    }
    return nil
  }

  private static func problemOfLeaves(in state: House.State) -> String? {
    for leaf in state.leaves {
      if leaf.loading != nil { return "\(leaf.name) loads for ever" }
      if leaf.saving != 0 { return "\(leaf.name) is saving for ever" }
    }
    return nil
  }

  /// Returns a problem: a write that was not called exactly once, or not in the order of its part's events.
  private static func problemOfWrites(
    _ requested: [String], _ records: [RunnerRecord<House>]
  ) -> String? {
    let written = requested.filter { $0.contains(" write ") }
    if Set(written).count != written.count { return "a write was called twice: \(written)" }
    let started = records.reduce(into: 0) { count, record in
      if case .work(let id, .started, _) = record, id.name == "save" { count += 1 }
    }
    if written.count != started { return "\(started) writes started, \(written.count) called" }
    var newest: [Substring: Int] = [:]
    for write in written {
      let words = write.split(separator: " ")
      guard let number = Int(words[2]) else { return "unknown write \(write)" }
      // With several threads, only the numbers of each thread are ordered.
      let queue = words[0] + "/\(number / 1_000)"
      if number < newest[queue, default: 0] { return "\(write) came too late" }
      newest[queue] = number
    }
    return nil
  }

  private static func problemAtRest(
    _ probe: ScreenProbe<House>, _ responses: PendingResponses<String, String>,
    _ sent: [PendingWork]
  ) -> String? {
    if let problem = problemOfLeaves(in: probe.state) { return problem }
    if let problem = problemOfWrites(responses.requested, probe.records.map { $0.record }) {
      return problem
    }
    if probe.runner.isWorking { return "it works for ever" }
    if probe.runner.writes.count != 0 { return "a write is counted for ever" }
    if probe.clock.sleepers != 0 { return "somebody sleeps for ever" }
    if let state = repeated(in: probe.states) { return "delivered twice: \(state)" }

    var running: [WorkID: Int] = [:]
    for case .work(let id, let step, let run) in probe.records.map({ $0.record }) where run > 0 {
      running[id, default: 0] += step == .started ? 1 : -1
      if id.name != "save", running[id]! > 1 { return "\(id) runs twice" }
    }
    if let (id, _) = running.first(where: { $0.value != 0 }) { return "\(id) has no end" }

    let over = Count()
    for event in sent {
      Task(executorPreference: probe.executor) {
        await event.finished()
        over.add()
      }
    }
    probe.settle()
    let waiting = sent.count - over.value
    return waiting == 0 ? nil : "\(waiting) events are waited for for ever"
  }
}
