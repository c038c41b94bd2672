import CMemory
import Curlew
import CurlewScreens
import CurlewStore
import Foundation
import HTTPTypes
import OpenCombine
import Synchronization

/// Measures the cost of a store: 1,000 entries with 10 entities each, and 10 consumers of each entry.
enum StoreBenchmark {
  private struct Book: Entity, Codable {
    let id: Int
    var title: String
    var author: String
    var isStarred: Bool
  }

  /// A transport that counts requests, for shelves of ten books; all shelves share a book.
  private final class Shelves: Transport {
    let requests = Atomic(0)

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      requests.add(1, ordering: .relaxed)
      let shelf = request.head.path.flatMap { Int($0.split(separator: "/").last ?? "") } ?? 0
      guard request.head.method == .get else {
        return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
      }
      let books = (0..<10).map { index in
        Book(
          id: index == 0 ? 0 : shelf * 10 + index, title: "The book number \(index) of a shelf",
          author: "Somebody with a name", isStarred: false)
      }
      return IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=3600"]),
        body: ResponseBody(try JSONEncoder().encode(books)))
    }
  }

  private static let shelves = 1_000
  private static let consumers = 10

  private static func request(_ shelf: Int) -> Request<[Book]> { .get("/shelves/\(shelf)") }
  private static func entry(_ shelf: Int) -> StoreEntry<[Book]> {
    StoreEntry(request(shelf), entities: .each(\.self)) { $0 }
  }
  private static func plainEntry(_ shelf: Int) -> StoreEntry<[Book]> {
    StoreEntry(request(shelf)) { $0 }
  }

  static func run() async throws {
    print(
      "\nStore: \(shelves) entries, \(shelves * 9 + 1) entities, \(shelves * consumers) consumers")
    let plain = try await memory { await Audience(store: makeStore().store, 1, plainEntry) }
    let full = try await memory { await Audience(store: makeStore().store, 1, entry) }
    let crowd = try await memory { await Audience(store: makeStore().store, consumers, entry) }
    let each = Double(shelves)
    print(
      "bytes of an entry with ten books, its stored response (1.2 KB), and a consumer: \(plain / shelves)"
    )
    print("bytes of an entity: \((Double(full - plain) / each / 10).text(0))")
    print(
      "bytes of a consumer and its task: \((Double(crowd - full) / each / Double(consumers - 1)).text(0))"
    )

    print("bytes of a task that reads an AsyncStream: \(await streamConsumer())")

    let (store, transport) = makeStore()
    let audience = await Audience(store: store, consumers, entry)
    print("transfers: \(transport.requests.load(ordering: .relaxed)) (one an entry)")
    for (title, id, count) in [
      ("an edit of a book of one entry, to its 10 consumers", 11, consumers),
      ("an edit of the book of all entries, to all 10,000 consumers", 0, shelves * consumers),
    ] {
      var times: [Double] = []
      for round in 0..<7 {
        let start = ContinuousClock.now
        async let write = store.perform(Request<Void>.put("/books/\(id)"), queue: "star") { edit in
          edit.update(Book.self, id) { $0.isStarred = round % 2 == 0 }
        }
        await audience.hears(count)
        times.append(start.duration(to: .now) / .microseconds(1))
        _ = try await write
        await audience.rests()
      }
      print("\(title): \(times.median.text(0)) us")
    }
    await audience.leave()
    combine()
    try await reads(store)
  }

  /// The same with OpenCombine: a subject for each entry, and ten sinks.
  private static func combine() {
    let subjects = (0..<shelves).map { _ in CurrentValueSubject<[Book], Never>([]) }
    var heard = 0
    let sinks = subjects.flatMap { subject in
      (0..<consumers).map { _ in subject.removeDuplicates().sink { _ in heard += 1 } }
    }
    var times: [Double] = []
    for round in 0..<7 {
      let start = ContinuousClock.now
      for subject in subjects {
        subject.value = [Book(id: 0, title: "", author: "", isStarred: round % 2 == 0)]
      }
      times.append(start.duration(to: .now) / .microseconds(1))
    }
    print(
      "OpenCombine, 1,000 subjects changed one by one, \(sinks.count) sinks: \(times.median.text(0)) us"
    )
  }

  /// Measures reads of stored values: from the store, and from the client's cache, whose body is decoded.
  private static func reads(_ store: Store) async throws {
    let shelf = Atomic(0)
    let comparison = try await Comparison(
      [
        .init(name: "memory hit", count: 4_000) {
          _ = try await store.client.send(
            request(shelf.add(1, ordering: .relaxed).newValue % shelves))
        },
        .init(name: "store", count: 40_000) {
          var values = store.values(of: entry(shelf.add(1, ordering: .relaxed).newValue % shelves))
            .makeAsyncIterator()
          _ = await values.next(isolation: nil)
        },
      ], inFlight: 1, rounds: 7)
    comparison.printTable("reading ten books, 1 in flight, median of 7 rounds")
    print("store / memory hit, CPU: \(comparison.spread(1, to: 0, \.cpu))")
  }

  private static func makeStore() -> (store: Store, transport: Shelves) {
    let transport = Shelves()
    return (
      Store(
        Client(baseURL: "https://library.example") {
          $0.transport = transport
          $0.cache = .memory(bytes: 256 << 20)
        }), transport
    )
  }

  /// Returns the memory of a stream and a task that waits for its elements, in bytes.
  private static func streamConsumer() async -> Int {
    let count = shelves * consumers
    let before = bytes_allocated()
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<count {
      let (stream, continuation) = AsyncStream.makeStream(of: [Book].self)
      tasks.append(
        Task {
          for await books in stream where books.isEmpty { continuation.finish() }
        })
    }
    try? await Task.sleep(for: .milliseconds(300))
    let after = bytes_allocated()
    for task in tasks { task.cancel() }
    return (Int(after) - Int(before)) / count
  }

  /// Returns the memory allocated by a closure's result, in bytes.
  private static func memory(_ make: () async -> Audience) async throws -> Int {
    let before = bytes_allocated()
    let audience = await make()
    let after = bytes_allocated()
    await audience.leave()
    return Int(after) - Int(before)
  }

  /// The consumers of all entries.
  private final class Audience: Sendable {
    private let heard = Atomic(0)
    private let waiting: Mutex<(count: Int, continuation: CheckedContinuation<Void, Never>)?> =
      Mutex(
        nil)
    private let tasks: Mutex<[Task<Void, Never>]> = Mutex([])

    init(store: Store, _ count: Int, _ entry: @escaping @Sendable (Int) -> StoreEntry<[Book]>) async
    {
      for shelf in 0..<shelves {
        for _ in 0..<count {
          let task = Task { [self] in
            for await value in store.values(of: entry(shelf)) where !value.isLoading { hear() }
          }
          tasks.withLock { $0.append(task) }
        }
      }
      await hears(shelves * count)
      await rests()
    }

    private func hear() {
      let heard = heard.add(1, ordering: .relaxed).newValue
      let waiting = waiting.withLock { waiting in
        defer { if waiting?.count == heard { waiting = nil } }
        return waiting?.count == heard ? waiting?.continuation : nil
      }
      waiting?.resume()
    }

    /// Waits until this many values were delivered.
    func hears(_ count: Int) async {
      await withCheckedContinuation { continuation in
        let isThere = waiting.withLock { waiting in
          if heard.load(ordering: .relaxed) >= count { return true }
          waiting = (count, continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    }

    /// Waits until no more values are delivered, and resets the count.
    func rests() async {
      try? await Task.sleep(for: .milliseconds(300))
      heard.store(0, ordering: .relaxed)
    }

    func leave() async {
      for task in tasks.withLock({ $0 }) {
        task.cancel()
        await task.value
      }
    }
  }
}
