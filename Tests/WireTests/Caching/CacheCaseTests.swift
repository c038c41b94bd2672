import CurlewFaultServer
import CurlewSQLite
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The RFCs' requirements for private caches, end to end: a client, its cache, sockets, an origin.
@Suite(.timeLimit(.minutes(2)))
struct CacheCaseTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `every case holds in memory`(transport: TransportUnderTest) async throws {
    try await expectEveryCase(over: transport) { _ in MemoryCacheStorage() }
  }

  #if WITHOUT_SQLITE
    private static let hasSQLite = false
  #else
    private static let hasSQLite = true
  #endif

  @Test(
    .enabled(if: hasSQLite, "libsqlite3-dev is missing; CurlewSQLiteTests are not built either"))
  func `every case holds in SQ lite`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    // All cases share a file: creating a file takes longer than a case.
    let storage = SQLiteCacheStorage(
      at: folder.appending(path: "cache.sqlite"),
      report: { problem in Issue.record("\(problem)") })
    try await expectEveryCase(over: .asyncHTTPClient) { CaseStorage(number: $0, of: storage) }
  }

  /// RFC 9111 section 3.3; not a case, because a policy does not see a truncated body.
  @Test(arguments: [[("Content-Length", "20")], [("Transfer-Encoding", "chunked")]])
  func `response that is cut off is not stored`(fields: [(String, String)]) async throws {
    try await withFaultServer { server in
      let requests = Counter()
      server.handle { exchange in
        requests.increment()
        guard requests.count == 1 else {
          return try await exchange.respond(200, [("Cache-Control", "max-age=60")], "whole")
        }
        try await exchange.write(
          "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(fields[0].0): \(fields[0].1)\r\n\r\n"
            + "4\r\npart\r\n")
        try await exchange.close()
      }
      let client = try TransportUnderTest.asyncHTTPClient.client(server) { $0.cache = .memory() }
      let page = Request<String>.get("/")
      await #expect(throws: Client.Error.self) { try await client.send(page) }
      #expect(try await client.send(page) == "whole")
      #expect(try await client.send(page) == "whole")
      #expect(requests.count == 2)
    }
  }

  /// Runs all cases, several at a time, each with its own client and storage.
  private func expectEveryCase(
    over transport: TransportUnderTest, in storage: @Sendable (Int) -> any CacheStorage
  ) async throws {
    let cases = try CacheCase.all()
    #expect(Set(cases.map(\.description)).count == 604)
    try await withFaultServer { server in
      let origins = cases.map { _ in ScriptedOrigin(server.origin) }
      server.handle { exchange in
        guard let number = exchange.request[ScriptedOrigin.field.rawName].flatMap({ Int($0) }),
          origins.indices.contains(number)
        else { throw UnknownCase() }
        try await origins[number].respond(exchange)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, cacheCase) in cases.enumerated() {
          guard Gap.areRun || transport == .asyncHTTPClient || cacheCase.gap == nil else {
            continue
          }
          if number >= Self.width { try await group.next() }
          let run = try CacheCaseRun(
            cacheCase, number: number, at: origins[number], storage: storage(number),
            over: transport.transport)
          group.addTask {
            for problem in await run.problems() { Issue.record("\(cacheCase): \(problem)") }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private struct UnknownCase: Error {}

  /// The number of concurrent cases.
  private static let width = 8

  /// A case's own part of a storage.
  private struct CaseStorage: CacheStorage {
    let number: Int
    let storage: any CacheStorage

    init(number: Int, of storage: any CacheStorage) {
      (self.number, self.storage) = (number, storage)
    }

    private func own(_ key: CacheKey) -> CacheKey {
      CacheKey(account: key.account, url: "\(number): \(key.url)")
    }

    func entries(for key: CacheKey) async -> [CacheEntry] { await storage.entries(for: own(key)) }

    func store(
      _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
    ) async -> (any CacheWriter)? {
      await storage.store(response, for: own(key), replacing: replaced)
    }

    func update(_ response: StoredResponse, for key: CacheKey) async {
      await storage.update(response, for: own(key))
    }

    func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
      await storage.remove(ids, for: own(key))
    }

    func removeAll(at url: String) async { await storage.removeAll(at: "\(number): \(url)") }

    // The cases need none of these.
    func removeAll(of account: String?) async {}
    func removeAll() async {}
    func contents() async -> [(key: CacheKey, response: StoredResponse)] { [] }
  }
}

extension CacheCase {
  /// The feature of the case that `URLSession` on Linux lacks; `nil` if it supports the case.
  fileprivate var gap: Gap? {
    for reply in exchanges.flatMap(\.replies) {
      let names = reply.fields.lines.map { $0.name.lowercased() }
      if Set(names).count < names.count { return .fieldLines }
      if names.contains("content-encoding") { return .ownCoding }
      if [301, 302, 303, 307, 308].contains(reply.status) { return .bodyOfDeadEnd }
    }
    return nil
  }
}
