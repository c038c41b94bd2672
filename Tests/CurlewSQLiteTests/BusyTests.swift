import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing
import cache_process

/// Another connection keeps a transaction open, as a backup, a stopped process or `sqlite3` does: no request waits for it,
/// and no change is lost.
@Suite(.timeLimit(.minutes(5)))
struct BusyTests {
  /// A connection that keeps a transaction open.
  private final class Holder {
    private let database: DatabaseQueue

    init(_ folder: Folder, _ statements: String) throws {
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      database = try DatabaseQueue(path: folder.file.path, configuration: configuration)
      try database.inDatabase { try $0.execute(sql: statements) }
    }

    func release() throws { try database.inDatabase { try $0.execute(sql: "ROLLBACK") } }
  }

  /// Transactions that another connection may keep open (sqlite.org/lang_transaction.html).
  static let transactions = [
    "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; DELETE FROM entries",
    "BEGIN; SELECT count(*) FROM entries", "BEGIN IMMEDIATE; CREATE TABLE x (y)",
    "BEGIN; UPDATE entries SET used = 0", "SAVEPOINT a; DELETE FROM entries WHERE url = x'00'",
  ]

  private let names = (0..<5).map { "\($0)" }

  private func request(_ name: String) -> Request<String> { .get("/\(raw: name)") }

  private func body(_ text: String, _ fields: HTTPFields = [:]) -> StubResponse {
    var fields = fields
    fields[.cacheControl] = "max-age=600"
    return .sample(Sample(headerFields: fields, body: Data(text.utf8)))
  }

  /// Returns a client whose cache has a response to each name.
  private func client(_ folder: Folder) async throws -> (Client, StubTransport, ResponseCache) {
    let (stub, cache) = (StubTransport(), ResponseCache(folder.storage(), account: { _ in "ann" }))
    let client = Client.stubbed(by: stub) { $0.cache = cache }
    for name in names {
      stub.stub(.get, "/\(raw: name)", with: body("old \(name)", [.eTag: "\"1\""]))
      _ = try await client.send(request(name))
    }
    return (client, stub, cache)
  }

  @Test(arguments: transactions)
  func `requests don't wait for another connection`(transaction: String) async throws {
    let folder = try Folder()
    let (client, stub, cache) = try await client(folder)
    let holder = try Holder(folder, transaction)
    let start = ContinuousClock.now
    for name in names + names { #expect(try await client.send(request(name)) == "old \(name)") }
    for number in 0..<20 {
      stub.stub(.get, "/new\(raw: "\(number)")", with: body("new"))
      #expect(try await client.send(request("new\(number)")) == "new")
    }
    // Each of them waited ten seconds for the lock.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(stub.requests.count == 25)
    try holder.release()
    // From then on, after the transactions that were tried meanwhile, responses are stored.
    _ = await cache.contents()
    stub.stub(.get, "/last", with: body("last"))
    for _ in 0..<2 { #expect(try await client.send(request("last")) == "last") }
    #expect(stub.requests.count == 26)
    #expect(folder.problems.isEmpty)
  }

  @Test(arguments: transactions)
  func `unsafe request leaves other responses in the file`(transaction: String) async throws {
    let folder = try Folder()
    let (client, stub, cache) = try await client(folder)
    let holder = try Holder(folder, transaction)
    stub.stub(.post, "/0", with: .status(.noContent))
    stub.stub(.get, "/0", with: body("new 0"))
    try await client.send(.post("/0"))
    // Neither while the file is busy nor after that is the old response served.
    #expect(try await client.send(request("0")) == "new 0")
    try holder.release()
    for name in names.dropFirst() {
      #expect(try await client.send(request(name)) == "old \(name)")
    }
    #expect(try await client.send(request("0")) == "new 0")
    // The file has the change, too: the next process reads it.
    for _ in 0..<2 { _ = await cache.contents() }
    let contents = await folder.storage().contents()
    for (key, response) in contents where key.url.hasSuffix("/0") {
      #expect(response.head.headerFields[.eTag] == nil)
    }
    #expect(contents.count >= 4)
    #expect(folder.problems.isEmpty)
  }

  /// Each kind of change, with what a lookup then returns.
  enum Change: CaseIterable {
    case remove, removeAtURL, markOutdated, freshen, replace
  }

  @Test(arguments: Change.allCases)
  func `changes are seen at once and written later`(change: Change) async throws {
    let folder = try Folder()
    let storage = folder.storage()
    let (sample, other) = (SampleResponse("a", size: 90_000), SampleResponse("b"))
    var response = try #require(await sample.store(in: storage))
    await other.store(in: storage)
    let holder = try Holder(folder, "BEGIN IMMEDIATE")
    switch change {
    case .remove: await storage.remove([response.id], for: sample.key)
    case .removeAtURL: await storage.removeAll(at: sample.key.url)
    case .markOutdated:
      response.isOutdated = true
      await storage.update(response, for: sample.key)
    case .freshen:
      response.head.headerFields[.age] = "7"
      await storage.update(response, for: sample.key)
    case .replace: await sample.store(in: storage, replacing: [response.id])
    }
    let isRemoved = [.remove, .removeAtURL, .replace].contains(change)
    func check(_ storage: any CacheStorage) async {
      let entries = await storage.entries(for: sample.key).filter { $0.response.id == response.id }
      #expect(entries.map(\.response) == (isRemoved ? [] : [response]))
      let contents = await storage.contents(at: sample.key.url, andBelow: false)
        .filter { $0.response.id == response.id }
      #expect(contents.map(\.response) == (isRemoved ? [] : [response]))
      #expect(await storage.entries(for: other.key).count == 1)
    }
    for _ in 0..<3 { await check(storage) }
    // Other processes see it when the file has it.
    let next = folder.storage()
    #expect(await next.contents().contains { $0.response.id == response.id })
    // More changes than are tried at once.
    for _ in 0..<50 { await storage.remove([UUID()], for: other.key) }
    try holder.release()
    // The next use writes the changes, after the transactions that were tried meanwhile.
    for _ in 0..<2 { _ = await storage.contents() }
    await check(storage)
    await check(next)
    #expect(folder.problems.isEmpty)
  }

  /// A sign-out waits for the other connection.
  @Test func `purge removes only its account`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    for account in ["ann", "bob"] { await SampleResponse("a", account: account).store(in: storage) }
    let holder = try Holder(folder, "BEGIN IMMEDIATE")
    let purge = Task { await storage.removeAll(of: "ann") }
    // Each waits for an attempt of the purge.
    for _ in 0..<5 { _ = await storage.contents() }
    try holder.release()
    await purge.value
    #expect(await storage.contents().map(\.key.account) == ["bob"])
    #expect(folder.problems.isEmpty)
  }

  /// The changes that wait are limited in number.
  @Test func `file is deleted when too many changes wait`() async throws {
    let folder = try Folder()
    let storage = folder.storage()
    await SampleResponse("a").store(in: storage)
    let holder = try Holder(folder, "BEGIN IMMEDIATE")
    await withTaskGroup { group in
      for _ in 0..<1_100 {
        group.addTask { await storage.remove([UUID()], for: SampleResponse("a").key) }
      }
    }
    await eventually { folder.problems.map(\.kind).first == .discarded }
    withExtendedLifetime(holder) {}
    #expect(await storage.contents().isEmpty)
    #expect(await SampleResponse("a").store(in: storage) != nil)
  }

  #if os(macOS) || os(Linux)
    /// A process that opens the file, begins a transaction, and then does nothing.
    private static let python = """
      import sqlite3, sys, time
      db = sqlite3.connect(sys.argv[1], isolation_level=None)
      db.execute("BEGIN IMMEDIATE")
      print("(ready)", flush=True)
      time.sleep(3600)
      """

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3")))
    func `stopped process delays nothing`() async throws {
      let folder = try Folder()
      let (client, stub, cache) = try await client(folder)
      let (child, _) = try await ChildProcess.start(
        "/usr/bin/python3", ["-c", Self.python, folder.file.path], readyWhen: "(ready)")
      stub.stub(.post, "/0", with: .status(.noContent))
      stub.stub(.get, "/0", with: body("new 0"))
      let start = ContinuousClock.now
      try await client.send(.post("/0"))
      for name in names.dropFirst() {
        #expect(try await client.send(request(name)) == "old \(name)")
      }
      await client.invalidate(request("1"))
      #expect(try await client.send(request("0")) == "new 0")
      #expect(ContinuousClock.now - start < .seconds(10))
      // A new process opens the file meanwhile.
      #expect(await folder.storage().contents().count == 5)
      await child.stop()
      for _ in 0..<2 { _ = await cache.contents() }
      #expect(await folder.storage().contents().filter(\.response.isOutdated).count == 1)
      #expect(folder.problems.isEmpty)
    }
  #endif
}
