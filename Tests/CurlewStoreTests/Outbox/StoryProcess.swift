import Curlew
import CurlewScreens
import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import outbox_process

@testable import CurlewStore

/// Sets the title of a book, unless another user has changed it.
struct SetTitle: ConditionalAction {
  static let name = "title"
  let account: String
  var base: StarredBook
  let title: Int
  let isOnce: Bool

  var entry: StoreEntry<StarredBook> { StarredBook.entry(account, base.id) }
  var request: Request<Void> {
    let path = "\(StarredBook.path(account, base.id))/titles/\(title)"
    return Request(
      .put, .init(stringLiteral: path), query: ["version": base.version], decoding: .discarded)
  }
  var queue: String { "\(account) \(base.id)" }
  var repeats: ActionRepeats { isOnce ? .never : .idempotent }
  func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(StarredBook.self, base.id) { [title] in $0.title = title }
    edit.invalidate(entry)
  }
  mutating func rebase(on newer: StarredBook) -> ActionOutcome? {
    newer.title == title ? .done : newer.title == base.title ? .send : nil
  }
}

/// Adds a book with a temporary id.
struct AddStarred: StoreAction {
  static let name = "add"
  let account: String
  let draft: Int
  let number: Int

  static func list(_ account: String) -> StoreEntry<[StarredBook]> {
    StoreEntry(Request.get("/\(account)/list"), entities: .each(\.self)) { $0 }
  }

  var request: Request<StarredBook> {
    .post(.init(stringLiteral: "/\(account)/books/new/\(number)"))
  }
  var queue: String { "\(account) new" }
  var repeats: ActionRepeats { .byKey }
  func edit(_ edit: inout StoreEdit<StarredBook>) {
    edit.insert(StarredBook(id: draft), into: Self.list(account))
    edit.receive { $0 }
  }
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
    func version() throws -> Int? {
      guard isAlive else { throw POSIXError(.ESRCH) }
      return try shared.base.version()
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

/// A process of a story: a store with the shared storage.
final class StoryProcess: Sendable {
  let number: Int
  let executor = TestExecutor()
  let clock: TestClock
  let server = StoryServer()
  let store: Store
  let shown = Mutex<[String: StarredBook]>([:])
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
          actions: [SetStars.self, SetTitle.self, AddStarred.self]))
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
      run { [self] in
        for await value in store.values(of: StarredBook.entry(account, id)) {
          shown.withLock { $0[StarredBook.path(account, id)] = value.latest }
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
