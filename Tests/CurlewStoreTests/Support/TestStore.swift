import Curlew
import CurlewScreens
import CurlewStore
import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A store with its own clock, whose tasks run only when a test runs them.
struct TestStore {
  let executor = TestExecutor()
  let clock: TestClock
  let date = TestDate()
  let stub: StubTransport
  let client: Client
  let store: Store

  init(
    limits: Store.Limits = Store.Limits(), hasCache: Bool = true,
    outbox: Outbox = .memory(actions: []),
    configure: (inout Client.Configuration) -> Void = { _ in },
    account: (@Sendable () -> String?)? = nil
  ) {
    clock = TestClock(executor: executor)
    stub = StubTransport(clock: clock)
    let date = date
    client = Client.stubbed(by: stub) {
      if hasCache { $0.cache = .memory(now: { date.now }) }
      configure(&$0)
    }
    store = WorkExecutor.$current.withValue(executor) { [client] in
      Store(client, limits: limits, account: account, outbox: outbox)
    }
  }

  /// Runs all ready jobs.
  func settle() { executor.drain() }

  /// Responds to the oldest pending request, and runs all ready jobs.
  func respond(to gate: StubGate, with response: StubResponse) {
    gate.respond(with: response)
    settle()
  }

  func advance(by duration: Duration) {
    date.advance(by: duration / .seconds(1))
    clock.advance(by: duration)
    settle()
  }

  /// Runs an operation on the executor; its result is available once the test has run it to completion.
  @discardableResult
  func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Outcome<Value> {
    let (outcome, executor) = (Outcome<Value>(), executor)
    let task = Task(executorPreference: executor) {
      await WorkExecutor.$current.withValue(executor) {
        let value = await operation()
        outcome.state.withLock { $0 = value }
      }
    }
    outcome.task.withLock { $0 = task }
    settle()
    return outcome
  }

  /// Observes an entry until the consumer stops.
  func observe<Value>(_ entry: StoreEntry<Value>, in store: Store? = nil) -> Consumer<Value> {
    let (consumer, store) = (Consumer<Value>(), store ?? self.store)
    consumer.run.withLock { run in
      run = self.run {
        for await value in store.values(of: entry) { consumer.log.withLock { $0.append(value) } }
      }
    }
    return consumer
  }

  /// Performs a write; the outcome is `done`, or the status of its failure.
  @discardableResult
  func perform<E: Endpoint>(
    _ endpoint: E, queue: String = "queue", in store: Store? = nil,
    edit: @escaping @Sendable (inout StoreEdit<E.Response>) -> Void = { _ in }
  ) -> Outcome<String> {
    let store = store ?? self.store
    return run {
      do throws(Client.Error) {
        _ = try await store.perform(endpoint, queue: queue, edit: edit)
        return "done"
      } catch {
        return error.status.map { "\($0.code)" } ?? "\(error)"
      }
    }
  }

  final class Outcome<Value: Sendable>: Sendable {
    fileprivate let state: Mutex<Value?> = Mutex(nil)
    fileprivate let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    var value: Value? { state.withLock { $0 } }
    func cancel() { task.withLock { $0?.cancel() } }
  }

  final class Consumer<Value: Equatable & Sendable>: Sendable {
    fileprivate let log = Mutex<[Loadable<Value>]>([])
    fileprivate let run: Mutex<Outcome<Void>?> = Mutex(nil)

    /// All received states, in order.
    var all: [Loadable<Value>] { log.withLock { $0 } }
    /// The last received state.
    var shown: Loadable<Value> { all.last ?? .idle }
    var latest: Value? { shown.latest }

    func stop() { run.withLock { $0?.cancel() } }
  }
}

extension StubResponse {
  /// Responds with JSON and cache header fields.
  static func json(_ text: String, _ fields: HTTPFields) -> Self {
    .sample(Sample(headerFields: fields, body: Data(text.utf8)))
  }

  static func book(_ id: Int, _ title: String, isStarred: Bool = false, _ fields: HTTPFields = [:])
    -> Self
  {
    .json(#"{"id":\#(id),"title":"\#(title)","isStarred":\#(isStarred)}"#, fields)
  }

  static func books(_ titles: [Int: String], _ fields: HTTPFields = [:]) -> Self {
    let items = titles.sorted { $0.key < $1.key }
      .map { #"{"id":\#($0.key),"title":"\#($0.value)","isStarred":false}"# }
    return .json("[\(items.joined(separator: ","))]", fields)
  }
}

extension HTTPFields {
  static func fresh(for seconds: Int, tag: String? = nil) -> HTTPFields {
    var fields: HTTPFields = [.cacheControl: "max-age=\(seconds)"]
    if let tag { fields[.eTag] = "\"\(tag)\"" }
    return fields
  }
}
