import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs random stories of two processes with one outbox: lost requests and responses, refusals, full disks, killed
/// processes, changes of the account, and a clock that is set back.
@Suite(.timeLimit(.minutes(60)))
struct OutboxStoryTests {
  /// `CURLEW_FUZZ=200000` sets the number of stories, `CURLEW_SEED` the seed.
  @Test func `the outbox does what its model says`() {
    for run in 0..<Fuzz.runs(200) {
      let seed = Fuzz.seed() &+ UInt64(run)
      var story = OutboxStory(seed: seed)
      if let difference = story.tell() {
        Issue.record(
          "CURLEW_SEED=\(seed) CURLEW_FUZZ=1: \(difference)\n\(story.log.joined(separator: "\n"))")
        return
      }
    }
  }
}

struct OutboxStory {
  private var random: SeededGenerator
  private var model = OutboxModel()
  private let storage = StoryStorage()
  private let account = Mutex<String>.Box("a")
  private let date = TestDate()
  private var processes: [StoryProcess] = []
  /// Whether both processes read the storage after each step.
  private let isFollowed: Bool
  private var number = 0
  private var launches = 0
  private(set) var log: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    isFollowed = seed.isMultiple(of: 4)
    for _ in 0..<2 { launch(processes.count) }
  }

  mutating func tell() -> String? {
    defer { while !processes.isEmpty { kill(0) } }
    for _ in 0..<random.pick(5...40) {
      if let broken = step() { return broken }
      // A process that is not told of another's action knows its effect after the next load.
      if isFollowed || random.chance(oneIn: 3), let difference = difference() { return difference }
    }
    return end()
  }

  private mutating func step() -> String? {
    switch random.pick(1...20) {
    case 1...6: perform()
    case 7...13: return respond()
    case 14:
      let index = random.pick(0...1)
      let broken = kill(index)
      launch(index)
      sendAll()
      return broken
    case 15, 16: decide()
    case 17: pass()
    case 18:
      account.value = account.value == "a" ? "b" : "a"
      log.append("the account is \(account.value)")
      show(account.value)
      sendAll()
    case 19:
      storage.state.withLock { $0.isFull = true }
      perform()
      storage.state.withLock { $0.isFull = false }
    default:
      date.advance(by: -3_600)
      sendAll()
    }
    return nil
  }

  /// Performs all that is left; nothing may be lost.
  private mutating func end() -> String? {
    for name in ["a", "b"] {
      account.value = name
      log.append("at the end, the account is \(name)")
      show(name)
      for _ in 0..<200 {
        sendAll()
        for item in processes[0].store.outbox.value where item.state == .unknown {
          decide(item, .send)
        }
        guard processes.contains(where: { !writes($0).isEmpty }) else { break }
        for index in processes.indices {
          while let call = writes(processes[index]).first {
            if let broken = answer(call, in: index, .done) { return broken }
          }
        }
      }
      if let difference = difference() { return difference }
    }
    let left = model.actions.filter { $0.state != .refused }
    return left.isEmpty ? nil : "left at the end: \(left)"
  }

  // MARK: Steps

  private mutating func launch(_ index: Int) {
    launches += 1
    processes.insert(StoryProcess(launches, storage, account, date), at: index)
    processes[index].observe(account.value)
    drain()
  }

  private mutating func perform() {
    number += 1
    let index = random.pick(0...1)
    let values = SetStars(account: account.value, id: random.pick(1...2), stars: number)
    let (store, isFull) = (processes[index].store, storage.state.withLock { $0.isFull })
    let repeats = random.pick([ActionRepeats.byKey, .idempotent, .never])
    log.append("process \(index) performs \(values.account) \(values.id) \(number), \(repeats)")
    let id = Mutex<UUID?>.Box(nil)
    processes[index].run {
      switch repeats {
      case .byKey: id.value = try? store.perform(SetStarsByKey(values: values))
      case .idempotent: id.value = try? store.perform(PutStars(values: values))
      case .never: id.value = try? store.perform(SetStarsOnce(values: values))
      }
    }
    processes[index].executor.drain()
    if let id = id.value {
      model.actions.append(OutboxModel.Action(id: id, values: values, repeats: repeats))
      if repeats == .never { model.allowed[number] = 1 }
    } else {
      log.append(isFull ? "the disk is full" : "it is refused without a reason")
    }
    drain()
  }

  private enum Answer: CaseIterable {
    case done, lostBefore, lostAfter, unreachable, unavailable, busy, refused, signIn
  }

  private mutating func respond() -> String? {
    let index = random.pick(0...1)
    guard let call = writes(processes[index]).first(where: { _ in random.chance(oneIn: 2) }) else {
      return nil
    }
    let answer = random.chance(oneIn: 2) ? .done : random.pick(Answer.allCases)
    return self.answer(call, in: index, answer)
  }

  private mutating func answer(
    _ call: StoryServer.Call, in index: Int, _ answer: Answer
  ) -> String? {
    log.append("process \(index): \(call.path) \(answer)")
    var broken: String?
    if answer == .done || answer == .lostAfter { broken = model.perform(call.path, key: call.key) }
    let server = processes[index].server
    switch answer {
    case .done:
      server.deliver(call.id, 200)
      model.end(call.path, status: 200)
    case .lostBefore, .lostAfter:
      server.fail(call.id, .lost)
      model.end(call.path, status: nil)
    case .unreachable: server.fail(call.id, .refused)
    case .unavailable:
      server.deliver(call.id, 503)
      model.end(call.path, status: 503)
    case .busy: server.deliver(call.id, 429)
    case .refused:
      server.deliver(call.id, 410)
      model.end(call.path, status: 410)
    case .signIn: server.deliver(call.id, 401)
    }
    drain()
    return broken
  }

  /// Kills a process, whose requests may still reach the server; returns a broken promise, if any.
  @discardableResult
  private mutating func kill(_ index: Int) -> String? {
    log.append("process \(index) is killed")
    let number = processes[index].number
    storage.state.withLock { state in
      state.killed.insert(number)
      if state.holder == number { state.holder = nil }
    }
    var broken: String?
    for call in writes(processes[index]) {
      if random.chance(oneIn: 2) { broken = model.perform(call.path, key: call.key) ?? broken }
      model.end(call.path, status: nil)
    }
    // Ends the tasks, so that nothing is left of the process.
    let (server, clock, executor) = (
      processes[index].server, processes[index].clock, processes[index].executor
    )
    processes[index].tasks.withLock { for task in $0 { task.cancel() } }
    processes.remove(at: index)
    for call in server.calls { server.fail(call.id, .refused) }
    executor.drain()
    clock.advance(by: .seconds(100_000))
    executor.drain()
    return broken
  }

  private mutating func decide() {
    sendAll()
    let items = processes.flatMap { $0.store.outbox.value }
    guard let item = items.filter({ $0.state != .sending }).randomElement(using: &random) else {
      return
    }
    decide(item, random.pick([.send, .done, .drop]))
  }

  private mutating func decide(_ item: OutboxItem, _ outcome: ActionOutcome) {
    guard
      let index = model.actions.firstIndex(where: { $0.id == item.id }),
      let owner = processes.firstIndex(where: { $0.store.outbox.value.contains(item) })
    else { return }
    let action = model.actions[index]
    // A process that has not read the storage since may not know the state.
    guard
      !processes.contains(where: {
        writes($0).contains { $0.path.hasSuffix("/\(action.values.stars)") }
      })
    else { return }
    log.append("process \(owner): \(outcome) for \(action.values.stars), \(item.state)")
    let store = processes[owner].store
    processes[owner].run { try? store.decide(outcome, for: item.id) }
    switch (outcome, item.state) {
    case (.drop, _): model.actions.remove(at: index)
    case (.done, .unknown):
      // The user says so, and the screen shows it until the server's data arrives.
      model.actions.remove(at: index)
    case (.send, .unknown), (.send, .refused):
      model.actions[index].state = .pending
      if case .refused = item.state {
        model.actions.append(model.actions.remove(at: index))
        number += 1
        model.ranks[action.values.stars] = number
      }
      model.allowed[action.values.stars]? += 1
    default: break
    }
    processes[owner].executor.drain()
    sendAll()
  }

  private mutating func pass() {
    let seconds = random.pick([1, 5, 60])
    log.append("\(seconds) s pass")
    for process in processes { process.clock.advance(by: .seconds(seconds)) }
    drain()
  }

  // MARK: The processes

  /// Shows an account's books in all processes, as of now.
  private func show(_ account: String) {
    for process in processes {
      process.clock.advance(by: Store.Limits().minimumInterval)
      process.observe(account)
    }
  }

  private func writes(_ process: StoryProcess) -> [StoryServer.Call] {
    process.server.calls.filter { $0.method != "GET" }
  }

  private mutating func sendAll() {
    for process in processes {
      let store = process.store
      process.run { store.sendActions() }
      drain()
    }
  }

  private mutating func reload() {
    for process in processes {
      let (store, account) = (process.store, account.value)
      process.run {
        for id in 1...2 { await store.invalidate(Request<Data>.get("/\(account)/books/\(id)")) }
      }
    }
    drain()
  }

  /// Runs all ready jobs; the server responds to all reads at once.
  private mutating func drain() {
    for _ in 0..<2 {
      for process in processes {
        process.executor.drain()
        while let read = process.server.calls.first(where: { $0.method == "GET" }) {
          let id = read.path.split(separator: "/").last ?? ""
          process.server.deliver(
            read.id, 200,
            #"{"id":\#(id),"title":0,"stars":\#(model.server[read.path] ?? 0),"note":0}"#)
          process.executor.drain()
        }
      }
    }
  }

  private mutating func difference() -> String? {
    sendAll()
    if !isFollowed { reload() }
    for (index, process) in processes.enumerated() {
      for id in 1...2 {
        let (path, expected) = ("/\(account.value)/books/\(id)", model.shown(account.value, id))
        let shown = process.shown.withLock { $0[path] }
        if shown != expected {
          return
            "process \(index) shows \(shown.map { "\($0)" } ?? "nothing") as \(path), not \(expected)"
        }
      }
      let items = process.store.outbox.value
      guard items.map(\.id) == model.actions.map(\.id) else {
        return "process \(index) has \(items.map(\.queue)), not \(model.actions.map(\.values))"
      }
      for (item, action) in zip(items, model.actions) {
        let isRight =
          switch item.state {
          case .refused: action.state == .refused
          case .unknown: action.state == .unknown
          case .sending: action.state != .refused
          case .waiting: action.state == .pending
          default: action.state != .refused
          }
        if !isRight { return "process \(index): \(action) is \(item.state)" }
      }
    }
    return nil
  }
}
