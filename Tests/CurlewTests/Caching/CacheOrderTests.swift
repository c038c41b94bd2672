import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// What was asked for, stored and removed in which order.
@Suite(.timeLimit(.minutes(1)))
struct CacheOrderTests {
  private let path = Request<String>.get("/a")
  private let ofA = Request<String>.get("/a", headerFields: [.authorization: "Bearer A"])

  // MARK: A sign-out while a call waits

  @Test(arguments: [true, false])
  func callThatWaitsForARetryStoresNothingAfterAPurge(all: Bool) async throws {
    let clock = TestClock()
    let test = CachingClient(account: { _ in "A" }) {
      $0.maximumOfflineStaleness = .zero
    } configure: {
      $0.clock = clock
      $0.middleware = [.retrying()]
    }
    test.stub.stub(.get, "/a", with: .status(.serviceUnavailable), test.response("of A"))
    let task = Task { try await test.client.send(ofA) }
    await eventually {
      test.log.events.contains { if case .retrying = $0.stage { true } else { false } }
    }
    if all { await test.cache.removeAll() } else { await test.cache.removeAll(of: "A") }
    clock.advance(by: .seconds(10))
    #expect(try await task.value == "of A")
    #expect(test.stub.requests.count == 2)
    #expect(await test.cache.contents().isEmpty)
    // The next user's call begins after the purge.
    test.stub.stub(.get, "/a", with: test.response("next"))
    #expect(try await test.client.send(ofA) == "next")
    #expect(await test.cache.contents().count == 1)
  }

  @Test func purgeOfAnotherAccountDoesNotMatter() async throws {
    let (clock, test) = retrying()
    test.stub.stub(.get, "/a", with: .status(.serviceUnavailable), test.response("of A"))
    let task = Task { try await test.client.send(ofA) }
    await eventually {
      test.log.events.contains { if case .retrying = $0.stage { true } else { false } }
    }
    await test.cache.removeAll(of: "B")
    await test.cache.removeAll(of: nil)
    clock.advance(by: .seconds(10))
    _ = try await task.value
    #expect(await test.cache.contents().count == 1)
  }

  @Test func purgesThatAreForgottenCountForAll() async throws {
    let (clock, test) = retrying()
    test.stub.stub(.get, "/a", with: .status(.serviceUnavailable), test.response("of A"))
    let task = Task { try await test.client.send(ofA) }
    await eventually {
      test.log.events.contains { if case .retrying = $0.stage { true } else { false } }
    }
    await test.cache.removeAll(of: "A")
    for number in 0..<1_000 { await test.cache.removeAll(of: "\(number)") }
    clock.advance(by: .seconds(10))
    _ = try await task.value
    #expect(await test.cache.contents().isEmpty)
  }

  private func retrying() -> (TestClock, CachingClient) {
    let clock = TestClock()
    let test = CachingClient(account: { _ in "A" }) { _ in
    } configure: {
      $0.clock = clock
      $0.middleware = [.retrying()]
    }
    return (clock, test)
  }

  @Test func callWhoseLookupIsSlowStoresNothingAfterAPurge() async throws {
    let storage = SlowStorage()
    let stub = StubTransport()
    let cache = ResponseCache(storage, account: { _ in "A" })
    let client = Client.stubbed(by: stub) { $0.cache = cache }
    stub.stub(
      .get, "/a",
      with: .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("of A".utf8))))
    let task = Task { try await client.send(ofA) }
    await storage.gate.waitForArrival()
    await cache.removeAll(of: "A")
    storage.gate.open()
    #expect(try await task.value == "of A")
    #expect(await cache.contents().isEmpty)
  }

  // MARK: Which response is newer

  @Test(arguments: [true, false])
  func responseThatWasAskedForFirstAndComesLastReplacesNothing(hasDate: Bool) async throws {
    let test = CachingClient()
    let gates = [StubGate(), StubGate()]
    test.stub.stub(.get, "/a", with: .held(by: gates[0]), .held(by: gates[1]))
    let first = Task { try await test.client.send(path) }
    await gates[0].waitForRequests(1)
    test.date.advance(by: 1)
    let second = Task { try await test.client.send(path) }
    await gates[1].waitForRequests(1)
    func response(_ text: String) -> StubResponse {
      hasDate
        ? test.response(text)
        : .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data(text.utf8)))
    }
    gates[1].respond(with: response("new"))
    #expect(try await second.value == "new")
    test.date.advance(by: hasDate ? 0 : 5)
    gates[0].respond(with: response("old"))
    #expect(try await first.value == "old")
    #expect(try await test.client.send(path) == "new")
    #expect(await test.cache.contents().count == 1)
  }

  @Test func laterDateIsNewerWhateverTheOrder() async throws {
    let test = CachingClient()
    let gates = [StubGate(), StubGate()]
    test.stub.stub(.get, "/a", with: .held(by: gates[0]), .held(by: gates[1]))
    let first = Task { try await test.client.send(path) }
    await gates[0].waitForRequests(1)
    let second = Task { try await test.client.send(path) }
    await gates[1].waitForRequests(1)
    gates[1].respond(with: test.response("early"))
    _ = try await second.value
    test.date.advance(by: 3)
    gates[0].respond(with: test.response("late"))
    _ = try await first.value
    #expect(try await test.client.send(path) == "late")
  }

  @Test(arguments: [true, false])
  func whatIsTooLargeToStoreReplacesWhatIsStored(isStreamed: Bool) async throws {
    let test = CachingClient()
    let large = StubResponse.sample { [date = test.date] _ in
      Sample(
        headerFields: [.cacheControl: "max-age=60", .date: HTTPDate.text(of: date.now)],
        body: Data(count: 5 << 20))
    }
    test.stub.stub(.get, "/a", with: test.response("small"), large, test.response("third"))
    _ = try await test.client.send(Request<Data>.get("/a"))
    if isStreamed {
      let request = Request<Data>.get("/a", headerFields: [.cacheControl: "no-cache"])
      for try await _ in try await test.client.stream(request) {}
    } else {
      _ = try await test.client.send(Request<Data>.get("/a"), cache: .reload)
    }
    #expect(try await test.client.send(Request<Data>.get("/a")) == Data("third".utf8))
  }

  // MARK: Accounts and hosts

  @Test func unsafeRequestInvalidatesForAllAccounts() async throws {
    let test = CachingClient()
    test.stub.stub(.get, "/a", with: test.response("one"), test.response("two"))
    test.stub.stub(.post, "/a", with: .status(.noContent))
    #expect(try await test.client.send(path) == "one")
    try await test.client.send(.post("/a", headerFields: [.authorization: "Bearer A"]))
    #expect(try await test.client.send(path) == "two")
  }

  @Test(arguments: ["X-Auth-Token", "Private-Token", "Api-Key", "X-Access-Token", "X-Api-Key"])
  func tokensOfAPIsAreCredentials(name: String) async throws {
    let name = try #require(HTTPField.Name(name))
    let test = CachingClient()
    let vary: HTTPFields = [.vary: name.rawName]
    test.stub.stub(
      .get, "/a", with: test.response("A", "max-age=60", vary),
      test.response("B", "max-age=60", vary))
    #expect(try await test.client.send(.get("/a", headerFields: [name: "sesame"])) == "A")
    #expect(try await test.client.send(.get("/a", headerFields: [name: "mellon"])) == "B")
    let contents = await test.cache.contents()
    #expect(contents.count == 2)
    #expect(!contents.contains { "\($0)".contains("sesame") })
  }

  @Test func hostOfAnEndpointBelongsToTheKey() async throws {
    let host = try #require(HTTPField.Name("Host"))
    let test = CachingClient()
    test.stub.stub(.get, "/a", with: test.response("A"), test.response("B"), test.response("C"))
    test.stub.stub(.delete, "/a", with: .status(.noContent))
    let other = Request<String>.get("/a", headerFields: [host: "other.example"])
    #expect(try await test.client.send(path) == "A")
    #expect(try await test.client.send(other) == "B")
    #expect(try await test.client.send(path) == "A")
    try await test.client.send(.delete("/a", headerFields: [host: "OTHER.example"]))
    #expect(try await test.client.send(path) == "A")
    #expect(try await test.client.send(other) == "C")
  }

  @Test func variantsOfOneURLAreLimited() async throws {
    let test = CachingClient()
    test.stub.stub(.get, "/a", with: test.response("x", "max-age=60", [.vary: "X-Variant"]))
    let name = try #require(HTTPField.Name("X-Variant"))
    for number in 0..<200 {
      let _: String = try await test.client.send(.get("/a", headerFields: [name: "\(number)"]))
    }
    #expect(await test.cache.contents().count == 64)
    let count = test.stub.requests.count
    let _: String = try await test.client.send(.get("/a", headerFields: [name: "199"]))
    #expect(test.stub.requests.count == count)
  }
}

/// A storage whose first lookup waits.
private final class SlowStorage: CacheStorage {
  let gate = Gate()
  private let storage = MemoryCacheStorage()

  func entries(for key: CacheKey) async -> [CacheEntry] {
    await gate.wait()
    return await storage.entries(for: key)
  }

  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)? {
    await storage.store(response, for: key, replacing: replaced)
  }

  func update(_ response: StoredResponse, for key: CacheKey) async {
    await storage.update(response, for: key)
  }

  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {
    await storage.remove(ids, for: key)
  }

  func removeAll(at url: String) async { await storage.removeAll(at: url) }
  func removeAll(of account: String?) async { await storage.removeAll(of: account) }
  func removeAll() async { await storage.removeAll() }

  func contents() async -> [(key: CacheKey, response: StoredResponse)] {
    await storage.contents()
  }
}
