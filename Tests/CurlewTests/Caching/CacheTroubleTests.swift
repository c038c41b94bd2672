import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Curlew

/// Servers that fail or contradict themselves, faulty storages, and many concurrent callers.
@Suite(.timeLimit(.minutes(1)))
struct CacheTroubleTests {
  private let test = CachingClient()
  private let path = Request<String>.get("/a")

  // MARK: Sizes

  @Test func `an absurd length is not stored`() async throws {
    for length in [Int64.max, .max - 1, .min] {
      let fields: HTTPFields = [.cacheControl: "max-age=60", .contentLength: "\(length)"]
      test.stub.stub(
        .get, "/a",
        with: .responding { _ in
          IncomingResponse(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: ResponseBody(AsyncStream { $0.finish() }))
        })
      _ = try? await test.client.send(path)
      #expect(await test.cache.contents().isEmpty)
    }
  }

  @Test(arguments: ["bytes=500-600", "bytes=5-", "bytes=-3", "bytes=0-"])
  func `a storage that is wrong about a size stops nothing`(range: String) async throws {
    let date = TestDate().now
    let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
    let stored = StoredResponse(
      head: head, requestTime: date, responseTime: date, bodySize: 1000)
    let storage = HookedStorage { _ in
      [CacheEntry(stored, body: ResponseBody(Data("0123456789".utf8)))]
    }
    let client = Client.stubbed(by: test.stub) {
      $0.cache = ResponseCache(storage, now: { date })
    }
    let request = Request<Data>.get("/a", headerFields: [.range: range])
    let part = try await client.response(for: request)
    #expect(part.cacheStatus?.isHit == true && part.value.count <= 10)
  }

  @Test func `an ID that is stored twice counts once`() async throws {
    let storage = MemoryCacheStorage()
    let key = CacheKey(account: nil, url: "https://api.example.com/")
    let responses = (0..<2).map { _ in
      StoredResponse(
        head: HTTPResponse(status: .ok), requestTime: TestDate().now, responseTime: TestDate().now)
    }
    for response in responses + responses {
      let writer = try #require(await storage.store(response, for: key, replacing: []))
      #expect(await writer.append(Data("body".utf8)))
      #expect(await writer.finish())
    }
    #expect(await storage.contents().map(\.response.id) == responses.reversed().map(\.id))
    await storage.remove(responses.map(\.id), for: key)
    #expect(storage.size == 0)
  }

  // MARK: Many at the same time

  @Test func `all get what a failed validation leaves`() async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=1, stale-if-error=60", [.eTag: "\"1\""]),
      .held(by: gate), .status(.serviceUnavailable))
    _ = try await test.client.send(path)
    test.date.advance(by: 10)
    let tasks = (0..<5).map { _ in Task { try await test.client.response(for: path) } }
    await gate.waitForRequests(1)
    await eventually { test.waits.count == 4 }
    gate.respond(with: .status(.serviceUnavailable))
    for task in tasks {
      let response = try await task.value
      #expect(response.value == "one" && response.cacheStatus?.cause == .staleAfterError)
      #expect(response.head.headerFields[.age] == "10")
    }
    #expect(test.stub.requests.count == 2)
  }

  @Test func `no validation is shared with other limits`() async throws {
    let (first, second) = (StubGate(), StubGate())
    test.stub.stub(
      .get, "/a", with: test.response("one", "no-cache", [.eTag: "\"1\""]), .held(by: first),
      .held(by: second))
    _ = try await test.client.send(path)
    let small = Task { try await test.client.send(path.limits { $0.bodySize = 10 }) }
    await first.waitForRequests(1)
    let large = Task { try await test.client.send(path) }
    await eventually { second.held.count == 1 || test.waits.count == 1 }
    first.respond(with: test.response("more than ten bytes"))
    await #expect(throws: Client.Error.self) { _ = try await small.value }
    if second.held.count == 1 { second.respond(with: test.response("more than ten bytes")) }
    #expect(try await large.value == "more than ten bytes")
  }

  @Test func `one request in the background without validators`() async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=10, stale-while-revalidate=60"),
      .held(by: gate), test.response("three", "max-age=10, stale-while-revalidate=60"))
    _ = try await test.client.send(path)
    test.date.advance(by: 20)
    for _ in 0..<20 { #expect(try await test.client.send(path) == "one") }
    await gate.waitForRequests(1)
    gate.respond(with: test.response("two", "max-age=10, stale-while-revalidate=60"))
    await eventually { test.log.open == 0 }
    #expect(try await test.client.send(path) == "two")
    #expect(test.stub.requests.count == 2)
    // The next stale use validates again.
    test.date.advance(by: 20)
    #expect(try await test.client.send(path) == "two")
    await eventually { test.stub.requests.count == 3 && test.log.open == 0 }
    #expect(try await test.client.send(path) == "three")
  }

  @Test func `of many responses at the same time one stays`() async throws {
    let gate = test.stub.hold(.get, "/a")
    let tasks = (0..<40).map { number in
      Task {
        let fields: HTTPFields = [.acceptLanguage: number.isMultiple(of: 2) ? "de" : "en"]
        return try await test.client.send(Request<String>.get("/a", headerFields: fields))
      }
    }
    await gate.waitForRequests(40)
    for number in 0..<40 {
      gate.respond(with: test.response("\(number)", "max-age=60", [.vary: "Accept-Language"]))
      if number.isMultiple(of: 8) { await Task.yield() }
    }
    for task in tasks { _ = try await task.value }
    // One response per language.
    #expect(await test.cache.contents().count == 2)
  }

  // MARK: Secrets and tokens

  @Test func `a redirect after a sign out is not the next users`() async throws {
    let user = Mutex("A")
    let test = CachingClient(account: { request in
      request.head.headerFields[.authorization] == nil ? nil : user.withLock { $0 }
    })
    let gate = test.stub.hold(.get, "/a")
    test.stub.stub(.get, "/b", with: test.response("of A"), test.response("of B"))
    let first = Task {
      try await test.client.send(
        .get("/a", headerFields: [.authorization: "Bearer A"]) as Request<String>)
    }
    await gate.waitForRequests(1)
    user.withLock { $0 = "B" }
    await test.cache.removeAll(of: "A")
    gate.respond(with: test.response("", "no-store", [.location: "/b"], status: .found))
    #expect(try await first.value == "of A")
    let second: Request<String> = .get("/b", headerFields: [.authorization: "Bearer B"])
    #expect(try await test.client.send(second) == "of B")
  }

  @Test func `a secret in a redirect is not in the key`() async throws {
    test.stub.stub(
      .get, "/a",
      with: test.response("", "no-store", [.location: "/b?for=sesame"], status: .found))
    test.stub.stub(.get, "/b", with: test.response("b"))
    for _ in 0..<2 {
      _ = try await test.client.send(
        .get("/a", query: ["api_key": Sensitive("sesame")]) as Request<String>)
    }
    let urls = await test.cache.contents().map(\.key.url)
    #expect(urls.count == 1 && urls.allSatisfy { !$0.contains("sesame") })
    #expect(test.stub.requests.map(\.head.path).filter { $0 == "/b?for=sesame" }.count == 1)
  }

  @Test func `what is stored waits for no token`() async throws {
    let tokens = StubTransport()
    let gate = tokens.hold(.get, "/token")
    let auth = Client(baseURL: "https://auth.example.com") { $0.transport = tokens }
    let test = CachingClient(
      account: { _ in "user" },
      configure: {
        $0.middleware = [
          .bearer(BearerToken(access: Sensitive("old"))) { _ in
            BearerToken(access: Sensitive(try await auth.send(Request<String>.get("/token"))))
          }
        ]
      })
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=1"), .status(.unauthorized))
    _ = try await Client.stubbed(by: test.stub) { $0.cache = test.cache }.send(path)
    test.date.advance(by: 10)
    // `cacheOnly` must send no request.
    #expect(try await test.client.send(path, cache: .cacheOnly) == "one")
    #expect(tokens.requests.isEmpty)
    // The token server can't be reached either.
    let call = Task { try await test.client.send(path) }
    await gate.waitForRequests(1)
    gate.respond(with: .failure(Client.TransportFailure(.unreachable, reason: "no network")))
    #expect(try await call.value == "one")
    #expect(tokens.requests.count == 1)
  }
}
