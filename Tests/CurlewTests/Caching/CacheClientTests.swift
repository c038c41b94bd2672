import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct CacheClientTests {
  private let test = CachingClient()
  private let path = Request<String>.get("/a")

  @Test func `a fresh response is served without a request`() async throws {
    test.stub.stub(.get, "/a", with: test.response("one"), test.response("two"))
    #expect(try await test.client.send(path) == "one")
    test.date.advance(by: 59)
    let response = try await test.client.response(for: path)
    #expect(response.value == "one" && response.cacheStatus?.isHit == true)
    #expect(response.head.headerFields[.age] == "59")
    #expect(response.head.headerFields[values: .cacheStatus].last?.contains("; hit; ttl=1") == true)
    #expect(test.stub.requests.count == 1)
    test.date.advance(by: 2)
    #expect(try await test.client.send(path) == "two")
    #expect(test.statuses.map(\.isHit) == [false, true, false])
    #expect(test.statuses.map(\.cause) == [.nothingStored, .fresh, .staleWithoutValidator])
  }

  @Test func `a validated response keeps its body`() async throws {
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=0", [.eTag: "\"1\""]),
      test.response("", "max-age=60", [.eTag: "\"1\""], status: .notModified))
    _ = try await test.client.send(path)
    let asOf = test.date.now
    test.date.advance(by: 100)
    let validated = try await test.client.response(for: path)
    #expect(validated.value == "one" && validated.cacheStatus?.isHit == false)
    #expect(validated.cacheStatus?.forwardedStatus == 304)
    #expect(try #require(validated.asOf) >= asOf)
    #expect(test.stub.requests[1].head.headerFields[.ifNoneMatch] == "\"1\"")
    #expect(try await test.client.response(for: path).cacheStatus?.isHit == true)
    #expect(test.stub.requests.count == 2)
  }

  @Test func `what is purged on its way says why it is not stored`() async throws {
    let client = Client.stubbed(by: test.stub) { [cache = test.cache] in
      $0.cache = cache
      $0.networkMiddleware = [
        FunctionMiddleware { request, next throws(Client.Error) in
          let response = try await next(request)
          await cache.removeAll()
          return response
        }
      ]
    }
    test.stub.stub(.get, "/a", with: test.response("one"))
    let status = try await client.response(for: path).cacheStatus
    #expect(status?.isStored == false && status?.notStoredCause == .outOfDate)
  }

  @Test func `a hit counts for no limit below the cache`() async throws {
    // One request an hour.
    let budget = RateBudget(now: { Date() })
    let test = CachingClient(configure: { $0.networkMiddleware = [.rateBudget(budget)] })
    test.stub.stub(
      .get, "/a",
      with: test.response(
        "one", "max-age=60",
        [
          "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0",
          "X-RateLimit-Reset": "4000000000",
        ]))
    for _ in 0..<5 { #expect(try await test.client.send(path) == "one") }
    await #expect(throws: Client.Error.self) {
      _ = try await test.client.send(path, cache: .reload)
    }
    #expect(test.stub.requests.count == 1)
  }

  @Test func `each response of a redirect is stored under its URL`() async throws {
    test.stub.stub(
      .get, "/a",
      with: test.response("", "max-age=60", [.location: "/b"], status: .movedPermanently))
    test.stub.stub(.get, "/b", with: test.response("b"))
    for _ in 0..<3 { #expect(try await test.client.send(path) == "b") }
    #expect(try await test.client.send(Request<String>.get("/b")) == "b")
    #expect(test.stub.requests.map(\.head.path) == ["/a", "/b"])
    #expect(await test.cache.contents().count == 2)
  }

  // MARK: Modes

  @Test(arguments: [true, false])
  func `only sends nothing`(hasCache: Bool) async throws {
    let test = CachingClient(configure: { if !hasCache { $0.cache = nil } })
    let post = Request<String>.post("/a")
    for request in [path, post] {
      await #expect {
        _ = try await test.client.send(request, cache: .cacheOnly)
      } throws: { error in
        guard case .notSent(let failure) = error as? Client.Error else { return false }
        return failure.reason == .notInCache && failure.request.contains("/a")
      }
    }
    #expect(test.stub.requests.isEmpty)
    guard hasCache else { return }
    test.stub.stub(.get, "/a", with: test.response("one", "max-age=1"))
    _ = try await test.client.send(path)
    test.date.advance(by: 100)
    #expect(try await test.client.send(path, cache: .cacheOnly) == "one")
    #expect(test.stub.requests.count == 1)
  }

  @Test func `a client may only use what is stored`() async throws {
    let test = CachingClient(configure: { $0.cacheMode = .cacheOnly })
    await #expect(throws: Client.Error.self) { _ = try await test.client.send(path) }
    await #expect(throws: Client.Error.self) { _ = try await test.client.stream(path.data) }
    #expect(test.stub.requests.isEmpty)
  }

  @Test func `what must not leave is not retried`() async throws {
    let test = CachingClient(configure: { $0.middleware = [.retrying()] })
    let only = Request<String>.get("/a", headerFields: [.cacheControl: "only-if-cached"])
    let error = await #expect(throws: Client.Error.self) { _ = try await test.client.send(only) }
    #expect(error?.status?.code == 504)
    #expect(test.stub.requests.isEmpty)
    #expect(!test.log.stages().contains("retrying"))
  }

  @Test func `a stale response stands in after the retries`() async throws {
    let test = CachingClient(configure: {
      var policy = RetryPolicy()
      (policy.attempts, policy.baseDelay) = (3, .zero)
      $0.middleware = [.retrying(policy)]
    })
    let gone = StubResponse.failure(Client.TransportFailure(.refused, reason: "gone"))
    test.stub.stub(.get, "/a", with: test.response("one", "max-age=1"), gone)
    test.stub.stub(.get, "/b", with: test.response("two", "max-age=1, must-revalidate"), gone)
    let strict = Request<String>.get("/b")
    for request in [path, strict] { _ = try await test.client.send(request) }
    test.date.advance(by: 1_000)
    let response = try await test.client.response(for: path)
    #expect(response.value == "one" && test.stub.requests.count == 5)
    #expect(response.cacheStatus?.cause == .staleWhenOffline)
    #expect(response.asOf == test.date.now.addingTimeInterval(-1_000))
    test.log.expectAllEnded()
    let error = await #expect(throws: Client.Error.self) { _ = try await test.client.send(strict) }
    guard case .transport = error else { return #expect(Bool(false), "\(error as Any)") }
    // An app that shows the age may show this response, too.
    let history = CachingClient(adjust: { $0.servesUnvalidatedWhenOffline = true })
    history.stub.stub(.get, "/b", with: history.response("two", "no-cache"), gone)
    for _ in 0..<2 { #expect(try await history.client.send(strict) == "two") }
    #expect(history.statuses.last?.cause == .historyWhenOffline)
    test.date.advance(by: 31 * 86_400)
    await #expect(throws: Client.Error.self) { _ = try await test.client.send(path) }
  }
}

extension Request<String> {
  fileprivate var data: Request<Data> { .get(path) }
}
