import Curlew
import CurlewScreens
import CurlewStore
import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

/// The contents of the stories' actions: sets the stars of a book.
struct SetStars: Codable, Sendable {
  let account: String
  let id: Int
  let stars: Int

  func request(_ method: HTTPRequest.Method) -> Request<Void> {
    Request(method, "/\(account)/books/\(id)/\(stars)", decoding: .discarded)
  }

  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(StoryBook.self, id) { [stars] in $0.stars = stars }
    edit.invalidate(Request<StoryBook>.get("/\(account)/books/\(id)"))
  }
}

struct SetStarsByKey: StoreAction {
  static let name = "key"
  let values: SetStars
  var request: Request<Void> { values.request(.post) }
  var queue: String { "\(values.account) \(values.id)" }
  var repeats: ActionRepeats { .byKey }
  func edit(_ edit: inout StoreEdit<Void>) { values.edit(&edit) }
}

struct PutStars: StoreAction {
  static let name = "put"
  let values: SetStars
  var request: Request<Void> { values.request(.put) }
  var queue: String { "\(values.account) \(values.id)" }
  var repeats: ActionRepeats { .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) { values.edit(&edit) }
}

struct SetStarsOnce: StoreAction {
  static let name = "once"
  let values: SetStars
  var request: Request<Void> { values.request(.post) }
  var queue: String { "\(values.account) \(values.id)" }
  var repeats: ActionRepeats { .never }
  func edit(_ edit: inout StoreEdit<Void>) { values.edit(&edit) }
}

/// A storage that processes share, of which one has the lease; now and then it is full.
final class StoryStorage: Sendable {
  let base = Outbox.memory(actions: []).storage
  let state = Mutex((holder: Int?.none, isFull: false, killed: Set<Int>()))

  struct Process: OutboxStorage {
    let shared: StoryStorage
    let number: Int

    var isAlive: Bool { shared.state.withLock { !$0.killed.contains(number) } }

    func all() throws -> [OutboxRecord] {
      guard isAlive else { throw POSIXError(.ESRCH) }
      return try shared.base.all()
    }
    func apply(_ changes: [OutboxChange]) throws {
      guard isAlive else { throw POSIXError(.ESRCH) }
      if shared.state.withLock({ $0.isFull }) { throw POSIXError(.ENOSPC) }
      try shared.base.apply(changes)
    }
    func acquireLease() -> Bool {
      shared.state.withLock { state in
        guard state.holder == nil, !state.killed.contains(number) else { return false }
        state.holder = number
        return true
      }
    }
    func releaseLease() {
      shared.state.withLock { if $0.holder == number { $0.holder = nil } }
    }
  }
}

/// What the outbox promises, in plain Swift.
struct OutboxModel {
  enum State { case pending, unknown, refused }

  struct Action {
    let id: UUID
    let values: SetStars
    let repeats: ActionRepeats
    var state = State.pending
  }

  /// The actions in the outbox, in their order.
  var actions: [Action] = []
  /// The stars of the server's books, by path.
  var server: [String: Int] = [:]
  /// How often the server may perform an action that must not be repeated, and how often it has performed it.
  var allowed: [Int: Int] = [:]
  var effects: [Int: Int] = [:]
  /// The positions of actions that were sent again after a refusal; of the others, it is their stars.
  var ranks: [Int: Int] = [:]
  /// The position of the last performed action of each book.
  var last: [String: Int] = [:]
  var keys: [Int: Set<String>] = [:]

  func index(_ stars: Int) -> Int? { actions.firstIndex { $0.values.stars == stars } }

  /// The stars that a screen of an account shows.
  func shown(_ account: String, _ id: Int) -> Int {
    actions.last { $0.values.account == account && $0.values.id == id && $0.state != .refused }?
      .values.stars ?? server["/\(account)/books/\(id)"] ?? 0
  }

  /// Performs a request on the server; returns a broken promise, if any.
  mutating func perform(_ path: String, key: String?) -> String? {
    let words = path.split(separator: "/").map(String.init)
    let (book, stars) = ("/\(words[0])/books/\(words[2])", Int(words[3])!)
    if let key {
      keys[stars, default: []].insert(key)
      if keys[stars]!.count > 1 { return "\(path) has two keys" }
      if effects[stars] != nil { return nil }
    }
    let rank = ranks[stars] ?? stars
    if effects[stars] == nil, last[book] ?? 0 > rank { return "\(path) overtook another" }
    effects[stars, default: 0] += 1
    if let allowed = allowed[stars], effects[stars]! > allowed { return "\(path) was repeated" }
    (last[book], server[book]) = (rank, stars)
    return nil
  }

  /// Ends a request in a client: with a status, with `nil` for a lost response, or with 0 if the request never left.
  mutating func end(_ path: String, status: Int?) {
    let stars = Int(path.split(separator: "/").last ?? "") ?? 0
    guard let index = index(stars) else { return }
    switch status {
    case 200: actions.remove(at: index)
    case 410: actions[index].state = .refused
    case nil, 503: if actions[index].repeats == .never { actions[index].state = .unknown }
    default: break
    }
  }
}

/// A process of a story: a store with the shared storage.
final class StoryProcess: Sendable {
  let number: Int
  let executor = TestExecutor()
  let clock: TestClock
  let server = StoryServer()
  let store: Store
  let shown = Mutex<[String: Int]>([:])
  let tasks = Mutex<[Task<Void, Never>]>([])

  init(_ number: Int, _ storage: StoryStorage, _ account: Mutex<String>.Box, _ date: TestDate) {
    self.number = number
    clock = TestClock(executor: executor)
    let (server, clock, executor) = (server, clock, executor)
    let client = Client(baseURL: "https://library.example") {
      $0.transport = server
      $0.clock = clock
      $0.limits.firstByte = .seconds(1_000_000)
      $0.limits.total = .seconds(1_000_000)
      $0.cache = .memory(now: { date.now })
    }
    store = WorkExecutor.$current.withValue(executor) {
      Store(
        client, account: { account.value },
        outbox: Outbox(
          StoryStorage.Process(shared: storage, number: number),
          actions: [SetStarsByKey.self, PutStars.self, SetStarsOnce.self]))
    }
  }

  func run(_ operation: @escaping @Sendable () async -> Void) {
    let executor = executor
    let task = Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) { await operation() }
    }
    tasks.withLock { $0.append(task) }
  }

  /// Shows the books of an account.
  func observe(_ account: String) {
    for task in tasks.withLock({ $0 }) { task.cancel() }
    executor.drain()
    shown.withLock { $0 = [:] }
    for id in 1...2 {
      let path = "/\(account)/books/\(id)"
      run { [self] in
        let entry = StoreEntry(
          Request<StoryBook>.get(.init(stringLiteral: path)), entities: .one(\.self)
        ) { $0 }
        for await value in store.values(of: entry) {
          shown.withLock { $0[path] = value.latest?.stars }
        }
      }
    }
  }
}

extension Mutex where Value: Sendable {
  /// A value that tests and closures share.
  final class Box: Sendable {
    private let state: Mutex<Value>
    init(_ value: Value) { state = Mutex(value) }
    var value: Value {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }
}
