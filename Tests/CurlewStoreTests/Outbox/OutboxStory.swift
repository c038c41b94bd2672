import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import outbox_process

/// A random story of two processes with one outbox, and its model.
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
  private(set) var counts: [String: Int] = [:]

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
    switch random.pick(1...21) {
    case 1...6: return perform()
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
      defer { storage.state.withLock { $0.isFull = false } }
      return perform()
    case 20:
      number += 1
      let path = StarredBook.path(account.value, random.pick(1...2))
      log.append("another user changes \(path) to \(number)")
      model.server[path, default: .init()].version += 1
      if random.chance(oneIn: 2) {
        model.server[path]!.title = number
      } else {
        model.server[path]!.stars = number
      }
      reload()
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
        for item in processes[0].store.outbox.value where item.needsDecision {
          if item.action is AddStarred || [.unknown, .conflict].contains(item.state) {
            decide(item, .send)
          }
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

  private mutating func perform() -> String? {
    number += 1
    let (index, account) = (random.pick(0...1), account.value)
    let known = model.drafts.values.filter { draft in
      model.accounts[draft] == account
        && (model.known.contains(draft)
          || model.actions.contains { $0.kind == .add && $0.book == draft && $0.state != .refused })
    }
    var action: any StoreAction
    var new = OutboxModel.Action(account: account, book: random.pick(1...2), number: number)
    let store = processes[index].store
    switch random.pick(1...8) {
    case 1:
      (new.kind, new.book, new.repeats) = (.add, -number, .byKey)
      action = AddStarred(account: account, draft: -number, number: number)
      (model.drafts[number], model.accounts[-number]) = (-number, account)
    case 2, 3:
      guard let base = store.entity(StarredBook.self, new.book) else { return nil }
      new.kind = .title
      new.base = .init(stars: base.stars, title: base.title, version: base.version)
      let isOnce = random.chance(oneIn: 3)
      action = SetTitle(account: account, base: base, title: number, isOnce: isOnce)
    default:
      if random.chance(oneIn: 3), let draft = known.sorted().randomElement(using: &random) {
        new.book = draft
        new.after = model.actions.first { $0.kind == .add && $0.book == draft }?.id
      }
      action = SetStars(account, new.book, number, kind: random.pick(0...2))
    }
    new.repeats = action.repeats
    log.append(
      "process \(index) performs \(new.kind) \(account) \(new.book) \(number), \(new.repeats)")
    guard let id = perform(action, in: index) else { return nil }
    if new.repeats == .never { model.allowed[number] = 1 }
    if let last = model.actions.firstIndex(where: { $0.id == id }) {
      return collapse(last, new, isRemoved: !store.outbox.value.contains { $0.id == id })
    }
    new.id = id
    model.actions.append(new)
    return nil
  }

  /// Performs an action; returns its id if it was stored.
  private mutating func perform(
    _ action: any StoreAction, in index: Int, replacing former: UUID? = nil
  ) -> UUID? {
    let (store, id) = (processes[index].store, Mutex<UUID?>.Box(nil))
    processes[index].run { id.value = try? store.perform(action, replacing: former) }
    processes[index].executor.drain()
    if id.value == nil { log.append("it is not stored") }
    drain()
    return id.value
  }

  /// Records that an action was combined with the last of its queue; returns a broken promise, if any.
  private mutating func collapse(
    _ index: Int, _ new: OutboxModel.Action, isRemoved: Bool
  ) -> String? {
    let last = model.actions[index]
    log.append(isRemoved ? "both are nothing" : "it replaces \(last.number)")
    counts[isRemoved ? "cancelled" : "collapsed", default: 0] += 1
    if isSent(last.number) || last.state != .pending { return "\(last) was replaced" }
    let mayRepeat = !isRemoved && new.repeats == .idempotent
    if model.effects[last.number] != nil, !mayRepeat { return "\(last) has had an effect" }
    if isRemoved {
      model.actions.remove(at: index)
    } else {
      model.actions[index].number = new.number
    }
    return nil
  }

  private func isSent(_ number: Int) -> Bool {
    processes.contains { writes($0).contains { OutboxModel.number($0.path) == number } }
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
    let isPerformed = answer == .done || answer == .lostAfter
    let (status, body, broken) =
      isPerformed ? model.perform(call.path, key: call.key) : (0, "", nil)
    let server = processes[index].server
    switch answer {
    case .done:
      if status == 412 { counts["conflict", default: 0] += 1 }
      server.deliver(call.id, status, body)
      model.end(call.path, status: status, isCurrent: call.path.hasPrefix("/\(account.value)/"))
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
      if random.chance(oneIn: 2) {
        broken = model.perform(call.path, key: call.key).broken ?? broken
      }
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
    if item.action is SetTitle, random.chance(oneIn: 2) { return edit(item) }
    decide(item, random.pick([.send, .done, .drop]))
  }

  /// Replaces the title of an action.
  private mutating func edit(_ item: OutboxItem) {
    guard let index = model.actions.firstIndex(where: { $0.id == item.id }),
      let owner = processes.firstIndex(where: { $0.store.outbox.value.contains(item) }),
      let old = item.action as? SetTitle, !isSent(old.title), old.account == account.value
    else { return }
    number += 1
    log.append("process \(owner) edits \(old.title) to \(number), \(item.state)")
    let action = SetTitle(
      account: old.account, base: old.base, title: number, isOnce: old.isOnce)
    guard perform(action, in: owner, replacing: item.id) != nil else { return }
    counts["edited", default: 0] += 1
    model.replace(index, by: number)
    sendAll()
  }

  private mutating func decide(_ item: OutboxItem, _ outcome: ActionOutcome) {
    guard let index = model.actions.firstIndex(where: { $0.id == item.id }),
      let owner = processes.firstIndex(where: { $0.store.outbox.value.contains(item) }),
      // A process that has not read the storage since may not know the state.
      !isSent(model.actions[index].number)
    else { return }
    let isDropped = outcome == .drop ? model.chain(item.id) : []
    guard !model.actions.contains(where: { isDropped.contains($0.id) && isSent($0.number) }) else {
      return
    }
    log.append("process \(owner): \(outcome) for \(model.actions[index].number), \(item.state)")
    let store = processes[owner].store
    processes[owner].run { try? store.decide(outcome, for: item.id) }
    // An action that waits for a sign-in is at most dropped.
    if outcome == .drop || item.needsDecision { model.decide(outcome, index, &number) }
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
          let (id, book) = (
            read.path.split(separator: "/").last ?? "", model.server[read.path] ?? .init()
          )
          process.server.deliver(
            read.id, 200,
            #"{"id":\#(id),"title":\#(book.title),"stars":\#(book.stars),"version":\#(book.version)}"#
          )
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
        let path = StarredBook.path(account.value, id)
        let expected = model.shown(account.value, id)
        let shown = process.shown.withLock { $0[path] }
        if shown?.stars != expected.stars || shown?.title != expected.title {
          return "process \(index) shows \(shown as Any) as \(path), not \(expected)"
        }
      }
      let items = process.store.outbox.value
      guard items.map(\.id) == model.actions.map(\.id) else {
        return "process \(index) has \(items.map(\.id)), not \(model.actions)"
      }
      for (item, action) in zip(items, model.actions) {
        let isRight =
          switch item.state {
          case .refused: action.state == .refused
          case .unknown: action.state == .unknown
          case .conflict: action.isInConflict
          case .waiting, .waitingForNetwork: action.state == .pending
          case .sending: action.state != .refused && !action.isInConflict
          default: action.state != .refused
          }
        if !isRight { return "process \(index): \(action) is \(item.state)" }
      }
    }
    return nil
  }
}
