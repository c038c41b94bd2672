import CurlewScreens
import CurlewTesting
import Observation
import Synchronization
import TestSupport
import Testing

/// Shared values: the shown value while edits are pending.
@Suite(.timeLimit(.minutes(1)))
struct SharedTests {
  private struct Refusal: Error {}

  /// A screen that shows starred names and can star a name.
  private struct Stars: Screen {
    enum Event: Sendable {
      case star(String)
      case close
    }

    struct State: Equatable, Sendable {
      var stars: Set<String> = []
      var part: Part? = Part()
      var problem: String?
    }

    struct Part: Equatable, Sendable {}

    let stars: Shared<Set<String>>
    let star: @Sendable (String) async throws -> Void

    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.follow("stars", stars, \.stars)
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .star(let name):
        work.write("star", editing: stars) {
          $0.insert(name)
        } operation: { [star] in
          try await star(name)
        } finished: { state, result, _ in
          if case .failure = result { state.problem = name }
        }
      case .close:
        // A write of a part that is removed before the write begins.
        work.scope(presented: \.part, &state) { _, work in
          work.write("star", editing: stars) {
            $0.insert("late")
          } operation: { [star] in
            try await star("late")
          }
        }
        state.part = nil
      }
    }
  }

  @Test func `a screen shows it at once and whenever it changes`() async {
    let stars = Shared<Set<String>>(["a"])
    let runner = Runner(Stars(stars: stars) { _ in })
    runner.resume()
    #expect(runner.state.stars == ["a"])
    stars.update { $0.insert("b") }
    await eventually { runner.state.stars == ["a", "b"] }
  }

  @Test func `an edit shows everywhere and stays when its write succeeds`() async {
    let (stars, gate) = (Shared<Set<String>>([]), Gate())
    let (first, second) = (
      Runner(Stars(stars: stars) { _ in await gate.wait() }), Runner(Stars(stars: stars) { _ in })
    )
    second.resume()
    let sent = first.send(.star("a"))
    #expect(stars.value == ["a"])
    await eventually { second.state.stars == ["a"] }
    gate.open()
    await sent.finished()
    #expect(stars.value == ["a"])
    await eventually { first.state.stars == ["a"] }
  }

  @Test func `an edit is in its screen's state when send returns`() async {
    let (stars, gate) = (Shared<Set<String>>([]), Gate())
    let runner = Runner(
      Stars(stars: stars) { _ in
        await gate.wait()
        throw Refusal()
      })
    for number in 1...100 {
      runner.send(.star("\(number)"))
      #expect(runner.state.stars == stars.value && stars.value.count == number)
    }
    gate.open()
    await runner.writes.finished()
    #expect(runner.state.stars == [], "and a refused edit is gone when its write has ended")
  }

  @Test func `an edit of a part is in the state when send returns`() async {
    struct Parent: Screen {
      struct State: Equatable { var stars = Stars.State() }
      let stars: Stars
      var initial: State { State() }
      var parts: [Part<State, Stars.Event>] { [Part(\.stars, stars, event: \.self)] }

      func handle(_ event: Stars.Event, _ state: inout State, _ work: inout Work<State>) {
        work.scope(\.stars) { stars.handle(event, &state.stars, &$0) }
      }
    }

    let (stars, gate) = (Shared<Set<String>>([]), Gate())
    let runner = Runner(Parent(stars: Stars(stars: stars) { _ in await gate.wait() }))
    runner.send(.star("a"))
    #expect(runner.state.stars.stars == ["a"])
    gate.open()
    await runner.writes.finished()
  }

  @Test func `a refused edit is taken away alone`() async {
    let (stars, gate) = (Shared<Set<String>>([]), Gate())
    let runner = Runner(
      Stars(stars: stars) { name in
        await gate.wait()
        if name == "b" { throw Refusal() }
      })
    let sent = ["a", "b", "c"].map { runner.send(.star($0)) }
    #expect(stars.value == ["a", "b", "c"])
    gate.open()
    for sent in sent { await sent.finished() }
    #expect(stars.value == ["a", "c"])
    #expect(runner.state.problem == "b")
  }

  @Test func `an edit is settled though its screen has gone`() async {
    let (stars, gate, writes) = (Shared<Set<String>>([]), Gate(), PendingWork())
    do {
      let runner = Runner(Stars(stars: stars) { _ in await gate.wait() }, writes: writes)
      runner.send(.star("a"))
      runner.send(.close)
    }
    // The part's write begins with its task, which may have run already.
    #expect(stars.value.contains("a"))
    gate.open()
    await writes.finished()
    #expect(stars.value == ["a", "late"])
  }

  @Test func `handling an event in a test changes nothing`() {
    let stars = Shared<Set<String>>([])
    let screen = Stars(stars: stars) { _ in }
    var (state, work) = (screen.initial, Work<Stars.State>())
    screen.handle(.star("a"), &state, &work)
    #expect(work.started == ["star"])
    #expect(stars.value == [])
  }

  @Test func `a response takes the place of the edit`() async throws {
    let count = Shared(1)
    let result = try await count.edit({ $0 += 1 }, settled: { $0 = $1 }) {
      #expect(count.value == 2)
      return 7
    }
    #expect(result == 7 && count.value == 7)
    await #expect(throws: Refusal.self) {
      try await count.edit({ $0 = 0 }) { throw Refusal() }
    }
    #expect(count.value == 7)
  }

  @Test func `a failed edit may stay and be sent again`() async throws {
    let messages = Shared<[String]>([])
    await #expect(throws: Refusal.self) {
      try await messages.edit({ $0.append("hello") }, failed: { list, _ in list.append("hello!") })
      {
        throw Refusal()
      }
    }
    #expect(messages.value == ["hello!"])
    try await messages.edit({ $0 = ["hello"] }) { #expect(messages.value == ["hello"]) }
    #expect(messages.value == ["hello"])
  }

  // MARK: Responses

  /// The values of keys, loaded while edits are settled.
  private let values = Shared<[String: Int]>(["a": 0, "b": 0])

  private func load(_ values: [String: Int], _ gate: Gate) async -> Task<Void, any Error> {
    let begun = Gate()
    let task = Task {
      _ = try await self.values.receive {
        $0.merge($1) { $1 }
      } from: {
        begun.open()
        await gate.wait()
        if values.isEmpty { throw Refusal() }
        return values
      }
    }
    await begun.wait()
    return task
  }

  @Test func `a response is beneath what was settled since its request`() async throws {
    let gate = Gate()
    let load = await load(["a": 1, "b": 1], gate)
    values.update { $0["a"] = 2 }
    #expect(values.value == ["a": 2, "b": 0])
    gate.open()
    try await load.value
    #expect(values.value == ["a": 2, "b": 1])
    try await self.load(["a": 3], gate).value
    #expect(values.value == ["a": 3, "b": 1], "it was requested after the edit")
  }

  @Test func `an edit that is pending stays above a response, and includes it after a failure`()
    async throws
  {
    let gate = Gate()
    gate.open()
    await #expect(throws: Refusal.self) {
      try await values.edit({ $0["a"] = 2 }) {
        try await load(["a": 1], gate).value
        #expect(values.value["a"] == 2)
        throw Refusal()
      }
    }
    #expect(values.value["a"] == 1)
  }

  @Test func `an older response is beneath a newer one`() async throws {
    let (first, second) = (Gate(), Gate())
    let older = await load(["a": 1, "b": 1], first)
    let newer = await load(["a": 2], second)
    second.open()
    try await newer.value
    #expect(values.value == ["a": 2, "b": 0])
    first.open()
    try await older.value
    #expect(values.value == ["a": 2, "b": 1])
  }

  @Test func `a failed request changes nothing`() async throws {
    let gate = Gate()
    let load = await load([:], gate)
    values.update { $0["a"] = 2 }
    gate.open()
    await #expect(throws: Refusal.self) { try await load.value }
    #expect(values.value == ["a": 2, "b": 0])
  }

  @Test func `a slow reader gets the newest value and none twice`() async {
    let count = Shared(0)
    var values = count.values.makeAsyncIterator()
    #expect(await values.next(isolation: #isolation) == 0)
    for number in 1...100 { count.update { $0 = number } }
    #expect(await values.next(isolation: #isolation) == 100)
    count.update { $0 = 100 }
    count.update { $0 = 5 }
    count.update { $0 = 100 }
    count.update { $0 = 6 }
    #expect(await values.next(isolation: #isolation) == 6)
  }

  @Test func `a view that reads it is updated`() {
    let count = Shared(0)
    let calls = Mutex(0)
    let read = {
      withObservationTracking {
        count.value
      } onChange: {
        calls.withLock { $0 += 1 }
      }
    }
    #expect(read() == 0)
    count.update { $0 = 0 }
    #expect(calls.withLock { $0 } == 0, "it has not changed")
    count.update { $0 = 1 }
    #expect(calls.withLock { $0 } == 1)
    #expect(read() == 1)
  }

  // MARK: Any order

  /// An edit in the model: the added number and the edit's result.
  private struct Edit {
    var added: Int
    var isSettled = false
    let gate = Gate()
    let isRefused: Bool
    let changesAtEnd: Bool
    var task: Task<Void, any Error>?
  }

  @Test(arguments: 0..<10)
  func `it is the settled value with all edits whatever their order`(round: Int) async throws {
    var random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(round))
    for _ in 0..<Fuzz.runs(3, of: 2_000) { try await tellStory(&random) }
  }

  private func tellStory(_ random: inout SeededGenerator) async throws {
    let list = Shared<[Int]>([])
    var edits: [Edit] = []
    for number in 1...40 {
      if random.chance(oneIn: 5) {
        list.update { $0.append(number) }
        edits.append(Edit(added: number, isSettled: true, isRefused: false, changesAtEnd: false))
      } else if random.chance(oneIn: 2) {
        let edit = Edit(
          added: number, isRefused: random.chance(oneIn: 3), changesAtEnd: random.chance(oneIn: 3))
        let begun = Gate()
        edits.append(edit)
        let append: @Sendable (inout [Int], Int) -> Void = { $0.append($1) }
        let settled = edit.changesAtEnd ? append : nil
        edits[edits.count - 1].task = Task { () async throws -> Void in
          let operation: @Sendable () async throws -> Int = {
            begun.open()
            await edit.gate.wait()
            if edit.isRefused { throw Refusal() }
            return -number
          }
          _ = try await list.edit({ $0.append(number) }, settled: settled, while: operation)
        }
        await begun.wait()
      } else if let index = edits.indices.filter({ !edits[$0].isSettled }).randomElement(
        using: &random)
      {
        let edit = edits[index]
        edit.gate.open()
        _ = await edit.task?.result
        if edit.isRefused {
          edits.remove(at: index)
        } else {
          edits[index].isSettled = true
          if edit.changesAtEnd { edits[index].added = -edit.added }
        }
      }
      #expect(list.value == edits.map(\.added))
    }
    for edit in edits {
      edit.gate.open()
      _ = await edit.task?.result
    }
    let left = edits.filter { !$0.isRefused || $0.isSettled }
    #expect(list.value == left.map { $0.changesAtEnd ? -abs($0.added) : $0.added })
  }
}
