import Curlew
import CurlewStore
import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

/// A random story.
struct Story {
  /// A consumer, and the last values that it received.
  final class Consumer: Sendable {
    let entry: StoryEntry
    let shown = Mutex(StoryEntry.Shown())
    let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ entry: StoryEntry) { self.entry = entry }
  }

  struct Cached {
    var time: Int
    var members: [StoryModel.Value]
  }

  var random: SeededGenerator
  let server = StoryServer()
  let executor = TestExecutor()
  let clock: TestClock
  let client: Client
  var store: Store
  var model = StoryModel()
  var consumers: [Consumer] = []
  var log: [String] = []
  var lastWrite = 0

  /// The server's books, by account.
  var shelves: [String: [StoryBook]] = [:]
  /// The content of responses in transit.
  var read: [Int: [StoryModel.Value]] = [:]
  var written: [Int: StoryBook?] = [:]
  /// All writes by number, with the generation of their store.
  var writes: [Int: (write: StoryWrite, generation: Int)] = [:]
  var generation = 0
  /// The paths of the entries that the writes of earlier stores edited.
  var earlier: [Int: [String]] = [:]
  var cached: [String: Cached] = [:]
  var voidedAt: [String: Int] = [:]
  var unusedSince: [StoryEntry: Duration] = [:]
  /// The device's date at the beginning; a user may set it back.
  let date = TestDate()
  var wasSetBack = false
  var isAmbiguous = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    clock = TestClock(executor: executor)
    let (server, clock, date) = (server, clock, date)
    let ticks = Atomic<Int>(0)
    client = Client(baseURL: "https://library.example") {
      $0.transport = server
      $0.clock = clock
      $0.cache = .memory(
        account: { request in
          request.head.path.flatMap { $0.split(separator: "/").first.map(String.init) }
        },
        now: {
          // Each read of the clock returns a later time.
          let tick = ticks.add(1, ordering: .relaxed).newValue
          let seconds = clock.now.offset.components.seconds
          return date.now.addingTimeInterval(Double(seconds) + Double(tick) * 2e-6)
        })
    }
    store = Store(client)
    for account in ["a", "b"] {
      shelves[account] = (1...4).map { StoryBook(id: $0, title: 0, stars: 0, note: 0) }
    }
  }

  /// Runs the story; returns the first difference from the model, if any.
  mutating func tell() -> String? {
    for _ in 0..<random.pick(10...60) {
      step()
      drain()
      if let difference { return difference }
    }
    return end()
  }

  /// Runs all ready jobs.
  ///
  /// A write and a read that are sent in one step may reach the server in another order than they were numbered: the
  /// story then ends without further comparisons.
  mutating func drain() {
    let time = server.tick()
    executor.drain()
    let calls = server.calls.filter { $0.time > time }
    for account in ["a", "b"] {
      let methods = calls.filter { $0.path.hasPrefix("/\(account)/") }.map(\.method)
      if Set(methods).count > 1 { isAmbiguous = true }
    }
  }

  var difference: String? {
    if isAmbiguous { return nil }
    for consumer in consumers {
      let shown = consumer.shown.withLock { $0 }
      let expected = model.text(consumer.entry)
      if shown.text != expected || shown.isRepeated {
        return
          "\(consumer.entry.path) shows \(shown.text ?? "nothing"), should be \(expected ?? "nothing")\(shown.isRepeated ? ", twice" : "")\n"
          + log.joined(separator: "\n")
      }
    }
    let reads = server.calls.filter { $0.method == "GET" }.map(\.path)
    if Set(reads).count < reads.count { return "two transfers of one entry: \(reads)" }
    let queues = server.calls.filter { $0.method == "PUT" }
      .compactMap { call in Int(call.path.split(separator: "/").last ?? "").flatMap { writes[$0] } }
      .map { "\($0.generation) \($0.write.queue)" }
    if Set(queues).count < queues.count { return "two writes of one queue: \(queues)" }
    return nil
  }

  mutating func step() {
    switch random.pick(1...100) {
    case 1...16: observe()
    case 17...22: stop()
    case 23...38: respond()
    case 39...62: deliver()
    case 63...80: write()
    case 81...86: change()
    case 87...90: invalidate()
    case 91...95: pass(.seconds(random.pick([1, 3, 10])))
    case 96: pass(.seconds(400))
    case 97: signOut(random.pick(["a", "b"]))
    case 98: setBack()
    default: launch()
    }
  }

  /// Delivers all responses in transit, and reloads all shown entries: consumers must show the server's values.
  mutating func end() -> String? {
    for _ in 0..<200 where !server.calls.isEmpty {
      respond(always: true)
      deliver()
      drain()
      if let difference { return difference }
    }
    for account in ["a", "b"] {
      log.append("reload \(account)")
      for kind in [StoryEntry.Kind.rows, .all, .book(1), .book(2), .book(3)] {
        invalidate(StoryEntry(account: account, kind: kind))
        drain()
      }
    }
    for _ in 0..<200 where !server.calls.isEmpty {
      respond(always: true, succeeds: true)
      deliver()
      drain()
      if let difference { return difference }
    }
    for consumer in consumers where !isAmbiguous {
      let shown = consumer.shown.withLock { $0 }
      // If the server has no value, the previous value stays.
      let truth = texts(consumer.entry) ?? shown.text
      if shown.isLoading || shown.text != truth {
        return
          "at the end \(consumer.entry.path) shows \(shown.text ?? "nothing"), the server has \(truth ?? "nothing"); loading: \(shown.isLoading)\n"
          + log.joined(separator: "\n")
      }
    }
    for consumer in consumers { consumer.task.withLock { $0?.cancel() } }
    drain()
    return nil
  }

  // MARK: Steps

  mutating func observe() {
    let entry = random.pick(StoryEntry.all)
    log.append("observe \(entry.path)")
    // Entries unused for 5 minutes are evicted, except for the entry that is used again.
    unusedSince[entry] = nil
    for (other, since) in unusedSince where clock.now.offset - since >= .seconds(300) {
      model.entries[other] = nil
      unusedSince[other] = nil
    }
    model.forget()
    let isObserved = consumers.contains { $0.entry == entry }
    let isLoading = server.calls.contains { $0.path == entry.path && $0.method == "GET" }
    if model.entries[entry] == nil, !(isObserved && isLoading), let stored = cached[entry.path] {
      model.arrive(entry, stored.members, at: stored.time)
    }
    let consumer = Consumer(entry)
    consumers.append(consumer)
    let (store, executor) = (store, executor)
    let task = Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) {
        await entry.observe(store) { shown in consumer.shown.withLock { $0 = shown } }
      }
    }
    consumer.task.withLock { $0 = task }
  }

  mutating func stop() {
    guard !consumers.isEmpty else { return }
    stop(random.pick(0...consumers.count - 1))
  }

  mutating func stop(_ index: Int) {
    let consumer = consumers.remove(at: index)
    log.append("stop \(consumer.entry.path)")
    consumer.task.withLock { $0?.cancel() }
    if !consumers.contains(where: { $0.entry == consumer.entry }),
      model.entries[consumer.entry] != nil
    {
      unusedSince[consumer.entry] = clock.now.offset
    }
  }

  mutating func deliver() {
    guard
      let call = server.calls.filter({ $0.response != nil }).randomElement(using: &random)
        ?? (random.chance(oneIn: 20) ? server.calls.randomElement(using: &random) : nil)
    else { return }
    let time = server.tick()
    log.append(
      "\(time): \(call.method) \(call.path) of \(call.time) arrives, \(call.response?.status ?? 0)")
    let status = call.response?.status ?? 0
    if call.method == "GET" {
      deliver(read: call, status)
    } else {
      let number = Int(call.path.split(separator: "/").last ?? "") ?? 0
      guard let (write, own) = writes[number] else { return }
      if status == 200 || status == 204 {
        let edited = own == generation ? model.paths(editedBy: number) : earlier[number] ?? []
        for path in edited { voidedAt[path] = time }
        if own == generation {
          model.settle(number, with: written[call.id] ?? nil, at: time, sent: call.time)
        }
        if write.invalidates { voidedAt["/\(write.account)/rows"] = time }
      } else {
        if own == generation { model.drop(number) }
        // The write may have been performed, or the stored values may be outdated.
        if write.invalidates, [0, 404, 409].contains(status) {
          voidedAt["/\(write.account)/rows"] = time
        }
      }
    }
    server.deliver(call.id)
  }

  mutating func deliver(read call: StoryServer.Call, _ status: Int) {
    // A missing resource is removed from the cache, too; the store keeps its value.
    if status == 404 { cached[call.path] = nil }
    guard status == 200 || status == 304, let values = read[call.id],
      let entry = StoryEntry.all.first(where: { $0.path == call.path })
    else { return }
    model.arrive(entry, values, at: call.time)
    // A response with `no-store` removes the stored response, even if it arrives too late to be stored.
    if call.response?.fields[.cacheControl] == "no-store" {
      cached[call.path] = nil
    } else if call.time > voidedAt[call.path] ?? -1 {
      cached[call.path] = Cached(time: call.time, members: values)
    }
  }

  mutating func write() {
    let account = random.pick(["a", "b"])
    let (id, value) = (random.pick([1, 1, 2, 3, 4]), random.pick(1...99))
    let change: StoryWrite.Change =
      switch random.pick(1...9) {
      case 1, 2: .star(id, value)
      case 3: .note(id, value)
      case 4: .title(id, value)
      case 5, 6: .rowTitle(id, value)
      case 7: .remove(id)
      case 8: .takeOut(id)
      default:
        .insert(
          StoryRow(id: 100 + lastWrite, title: value), at: random.pick(0...3),
          as: random.chance(oneIn: 3) ? id : 10 + lastWrite)
      }
    lastWrite += 1
    var storesResponse = random.chance(oneIn: 2)
    if case .insert = change { storesResponse = true }
    let write = StoryWrite(
      account: account, change: change, lane: random.pick(1...2), storesResponse: storesResponse,
      invalidates: random.chance(oneIn: 3))
    let number = lastWrite
    let time = server.tick()
    log.append("\(time): write \(number) \(account) \(change)\(storesResponse ? ", stores" : "")")
    writes[number] = (write, generation)
    model.begin(number, write, at: time)
    let (store, executor) = (store, executor)
    Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) { _ = await write.perform(store, number) }
    }
  }

  /// Changes the server's data independently of the store.
  mutating func change() {
    let account = random.pick(["a", "b"])
    guard let index = shelves[account]?.indices.randomElement(using: &random) else { return }
    shelves[account]![index].title = random.pick(100...199)
    if random.chance(oneIn: 2) { shelves[account]![index].note = random.pick(100...199) }
    if random.chance(oneIn: 4) { shelves[account]?.shuffle(using: &random) }
    if random.chance(oneIn: 6) {
      shelves[account]?.append(
        StoryBook(id: random.pick(1...4), title: 200, stars: 200, note: 200))
      var ids: Set<Int> = []
      shelves[account]?.removeAll { !ids.insert($0.id).inserted }
    }
    log.append("the server has \(account): \(shelves[account]!.map(\.text))")
  }

  mutating func invalidate() { invalidate(random.pick(StoryEntry.all)) }

  mutating func invalidate(_ entry: StoryEntry) {
    log.append("invalidate \(entry.path)")
    voidedAt[entry.path] = server.tick()
    let (store, executor) = (store, executor)
    Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) {
        await store.invalidate(Request<Data>.get("/\(raw: String(entry.path.dropFirst()))"))
      }
    }
  }

  mutating func pass(_ duration: Duration) {
    log.append("\(duration) pass")
    clock.advance(by: duration)
  }

  /// Sets the date back by an hour; the store's clock goes on.
  mutating func setBack() {
    log.append("the date is set back")
    wasSetBack = true
    date.advance(by: -3_600)
  }

  mutating func signOut(_ account: String) {
    log.append("sign out \(account)")
    let time = server.tick()
    model.clear(account)
    consumers.removeAll { $0.entry.account == account }
    for entry in StoryEntry.all where entry.account == account {
      (cached[entry.path], voidedAt[entry.path], unusedSince[entry]) = (nil, time, nil)
    }
    let (store, executor) = (store, executor)
    Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) { await store.clear(account: account) }
    }
  }

  mutating func launch() {
    // A new store knows only the dates of the cached responses.
    if wasSetBack {
      for account in ["a", "b"] { signOut(account) }
      executor.drain()
      wasSetBack = false
    }
    log.append("launch")
    while !consumers.isEmpty { stop(0) }
    executor.drain()
    generation += 1
    for number in model.writes.keys { earlier[number] = model.paths(editedBy: number) }
    (model, unusedSince) = (StoryModel(), [:])
    store = Store(client)
  }
}
