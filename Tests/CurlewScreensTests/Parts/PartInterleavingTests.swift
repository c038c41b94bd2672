import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Composed screens under orders of events, results, failures, cancellations, suspends and resumes: no loading state gets
/// stuck, no result reaches another part, and each write is called exactly once.
///
/// `CURLEW_STORIES=10000 make test FILTER=PartInterleavingTests` runs that many orders of each kind.
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
    let listen: @Sendable (_ name: String) -> AsyncThrowingStream<String, any Error>
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
        work.follow("listen") { [listen] in
          listen("\(name) listen \(number)")
        } each: { state, told, _ in
          state.told.append("\(name) \(told)")
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

    let leaf: Leaf
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

  /// A house in an exploration: no probe, because its parts tell results in the order of their arrival.
  private final class Explored: Explorable {
    let probe: ScreenProbe<House>
    let responses = PendingResponses { (request: String) in request }
    let sent = Mutex<[PendingWork]>([])

    init(_ streams: PendingStreams<String>) {
      let leaf = Leaf(responses: responses) { _ in streams.open() }
      probe = ScreenProbe(House(leaf: leaf), activity: nil)
    }

    var state: House.State { probe.state }
    var nextSteps: [ExplorationStep] { probe.nextSteps }
    var pendingWork: String { probe.pendingWork }
    func problem(isAtRest: Bool) -> String? { probe.problem(isAtRest: isAtRest) }
    func note(_ work: PendingWork) { sent.withLock { $0.append(work) } }
  }

  @Test(arguments: Cast.allCases)
  func `every order keeps the promises`(cast: Cast) async {
    let streams = PendingStreams(["one", "two"])
    await explore(
      Explored(streams),
      checking: [
        .always { #expect(Self.problem(in: $0.state) == nil) },
        .finally { house in
          house.probe.advance(by: .seconds(1))
          #expect(Self.problemAtRest(house) == nil)
        },
      ], runs: Fuzz.stories(full: 400), seed: Fuzz.seed(),
      events: { house in
        let probe = house.probe
        let number = probe.records.count { if case .event = $0.record { true } else { false } } + 1
        let events = Self.events(cast, number)
        let single = events.map { event in
          ExplorationStep("probe.send(\(event))", .event(event)) { house.note(probe.send(event)) }
        }
        // Two events without running work in between, like fast taps: another pair each time.
        let next = Self.events(cast, number + 1)
        let pairs = (1...3).map {
          (events[number * $0 % events.count], next[number * 7 * $0 % next.count])
        }
        .map { first, second in
          ExplorationStep("probe.runner.send(\(first)); probe.send(\(second))", .event(second)) {
            house.note(probe.runner.send(first))
            house.note(probe.send(second))
          }
        }
        return single + pairs
      }
    ) { $0.probe.begin() }
  }

  /// Returns the events of a cast, each with a number.
  private static func events(_ cast: Cast, _ number: Int) -> [House.Event] {
    let leaf: [Leaf.Event] =
      cast == .writes
      ? [.save(number), .load(number), .stop]
      : [
        .load(number), .later(number), .chain(number), .save(number), .listen(number), .tick, .stop,
      ]
    let parts = leaf.flatMap { [House.Event.left($0), .right($0)] }
    let sheet =
      leaf.map { House.Event.sheet($0) } + (1...2).map { .open(id: $0, serial: number) } + [.close]
    let rows =
      (1...2).flatMap { id in
        leaf.map { House.Event.row(id, $0) } + [.add(id: id, serial: number), .remove(id)]
      } + [.move]
    switch cast {
    case .twoParts: return parts
    case .sheet: return sheet
    case .rows: return rows
    case .writes, .everything: return parts + sheet + rows
    }
  }

  /// Runs stories on real threads: four threads send events, suspend and resume, while another replies and advances the
  /// clock.
  @Test func `every race keeps the promises`() async {
    await tellStories("races", count: 400) { seed in
      let responses = PendingResponses<String, String>()
      let screen = House(
        leaf: Leaf(responses: responses) { name in
          AsyncThrowingStream { try await responses.next(for: name) }
        })
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
                return runner.send(generator.pick(Self.events(.everything, number)))
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

  private static func problemAtRest(_ house: Explored) -> String? {
    let (probe, records) = (house.probe, house.probe.records.map { $0.record })
    if let problem = problemOfLeaves(in: probe.state)
      ?? problemOfWrites(house.responses.requested, records)
    {
      return problem
    }
    if probe.runner.writes.count != 0 { return "a write is counted for ever" }
    if probe.clock.sleepers != 0 { return "somebody sleeps for ever" }
    var running: [WorkID: Int] = [:]
    for case .work(let id, let step, let run) in records where run > 0 {
      running[id, default: 0] += step == .started ? 1 : -1
      if id.name != "save", running[id]! > 1 { return "\(id) runs twice" }
    }
    let waiting = house.sent.withLock { $0.count { !$0.isFinished } }
    return waiting == 0 ? nil : "\(waiting) events are waited for for ever"
  }
}
