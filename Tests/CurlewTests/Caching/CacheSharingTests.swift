import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Sharing of stored responses: accounts, concurrent requests, and storing during a read.
@Suite(.timeLimit(.minutes(1)))
struct CacheSharingTests {
  private let test = CachingClient()
  private let path = Request<String>.get("/a")

  private func request(token: String) -> Request<String> {
    .get("/a", headerFields: [.authorization: "Bearer \(token)"])
  }

  // MARK: Accounts

  @Test func `different credentials share nothing`() async throws {
    test.stub.stub(
      .get, "/a", with: test.response("of A"), test.response("of B"), test.response("public"))
    #expect(try await test.client.send(request(token: "A")) == "of A")
    #expect(try await test.client.send(request(token: "B")) == "of B")
    #expect(try await test.client.send(path) == "public")
    #expect(try await test.client.send(request(token: "A")) == "of A")
    #expect(test.stub.requests.count == 3)
    let contents = await test.cache.contents()
    #expect(Set(contents.map(\.key)).count == 3)
    #expect(!contents.contains { "\($0)".contains("Bearer") })
  }

  @Test func `an account keeps its responses with a new token`() async throws {
    let test = CachingClient(account: { request in
      request.head.headerFields[.authorization].map { String($0.suffix(1)) }
    })
    // The response depends on the token, which is the account's.
    let vary: HTTPFields = [.vary: "Authorization"]
    test.stub.stub(
      .get, "/a", with: test.response("of A", "max-age=60", vary),
      test.response("of B", "max-age=60", vary), test.response("new"))
    #expect(try await test.client.send(request(token: "1-A")) == "of A")
    #expect(try await test.client.send(request(token: "2-A")) == "of A")
    #expect(try await test.client.send(request(token: "1-B")) == "of B")
    // Signs A out.
    await test.cache.removeAll(of: "A")
    #expect(try await test.client.send(request(token: "1-B")) == "of B")
    #expect(try await test.client.send(request(token: "1-A")) == "new")
  }

  @Test func `credentials from below are not stored without an account`() async throws {
    let gate = StandardMiddleware.cookies(in: CookieJar())
    let test = CachingClient(configure: { $0.networkMiddleware = [gate] })
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=60", [.setCookie: "a=b"]),
      test.response("two"), test.response("three"))
    #expect(try await test.client.send(path, cache: .reload) == "one")
    #expect(try await test.client.send(path, cache: .reload) == "two")
    #expect(test.statuses.last?.notStoredCause == .credentialsAddedBelow)
  }

  @Test func `secret query items are not in the key`() async throws {
    test.stub.stub(.get, "/a", with: test.response("one"), test.response("two"))
    func request(_ key: String) -> Request<String> {
      .get("/a", query: ["api_key": Sensitive(key), "b": 1])
    }
    #expect(try await test.client.send(request("sesame")) == "one")
    #expect(try await test.client.send(request("mellon")) == "two")
    #expect(try await test.client.send(request("sesame")) == "one")
    let urls = await test.cache.contents().map(\.key.url)
    #expect(urls.count == 2 && urls.allSatisfy { !$0.contains("sesame") && $0.hasSuffix("b=1") })
  }

  @Test(arguments: [true, false])
  func `what is under way at a purge or an unsafe request is not stored`(isPurge: Bool) async throws
  {
    let gate = test.stub.hold(.get, "/a")
    test.stub.stub(.post, "/a", with: .status(.noContent))
    let task = Task { try await test.client.send(path) }
    await gate.waitForRequests(1)
    if isPurge {
      await test.cache.removeAll(of: nil)
    } else {
      try await test.client.send(.post("/a"))
    }
    gate.respond(with: test.response("old"))
    #expect(try await task.value == "old")
    #expect(await test.cache.contents().isEmpty)
  }

  // MARK: Concurrent requests

  @Test(arguments: [true, false])
  func `of many requests for a stale response one asks`(isModified: Bool) async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/a", with: test.response("one", "no-cache", [.eTag: "\"1\""]), .held(by: gate))
    _ = try await test.client.send(path)
    let tasks = (0..<20).map { _ in Task { try await test.client.response(for: path) } }
    await gate.waitForRequests(1)
    await eventually { test.waits.count == 19 }
    gate.respond(
      with: isModified
        ? test.response("two", "no-cache", [.eTag: "\"2\""])
        : test.response("", "no-cache", status: .notModified))
    var collapsed = 0
    for task in tasks {
      let response = try await task.value
      #expect(response.value == (isModified ? "two" : "one"))
      if response.cacheStatus?.isCollapsed == true { collapsed += 1 }
    }
    #expect(collapsed == 19 && test.stub.requests.count == 2)
    test.log.expectAllEnded()
  }

  @Test func `a cancelled validation is taken over`() async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/a", with: test.response("one", "no-cache", [.eTag: "\"1\""]), .held(by: gate))
    _ = try await test.client.send(path)
    let first = Task { try await test.client.send(path) }
    await gate.waitForRequests(1)
    let second = Task { try await test.client.send(path) }
    await eventually { test.waits.count == 1 }
    first.cancel()
    await gate.waitForRequests(2)
    gate.respondToNewest(with: test.response("", "no-cache", status: .notModified))
    #expect(try await second.value == "one")
    await #expect(throws: Client.Error.self) { _ = try await first.value }
  }

  // MARK: Bodies

  @Test func `a stream is stored when it is read to its end`() async throws {
    let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    test.stub.stub(
      .get, "/a",
      with: .responding { _ in
        IncomingResponse(
          head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]),
          body: ResponseBody(
            AsyncStream { stream in
              for start in stride(from: 0, to: data.count, by: 10_000) {
                stream.yield(data[start..<start + 10_000])
              }
              stream.finish()
            }))
      })
    let request = Request<Data>.get("/a")
    // The stream is released before its end.
    var first = try await test.client.stream(request).makeAsyncIterator()
    _ = try await first.next()
    #expect(await test.cache.contents().isEmpty)
    for isHit in [false, true] {
      let response = try await test.client.stream(request)
      #expect(response.cacheStatus?.isHit == isHit)
      var body = Data()
      for try await chunk in response { body += chunk }
      #expect(body == data)
    }
    #expect(try await test.client.send(request) == data)
    #expect(test.stub.requests.count == 2)
  }

  @Test func `a body that is too short is not stored`() async throws {
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=60", [.contentLength: "4"]),
      test.response("two"))
    _ = try? await test.client.send(path)
    #expect(await test.cache.contents().isEmpty)
    #expect(try await test.client.send(path) == "two")
  }

  // MARK: Observability

  @Test func `a recording tells what the cache did`() async throws {
    let recorder = HARRecorder()
    let test = CachingClient(configure: { $0.networkMiddleware = [.recording(recorder)] })
    test.stub.stub(.get, "/a", with: test.response("one"))
    for _ in 0..<2 { _ = try await test.client.send(path) }
    let entries = recorder.har.entries
    #expect(entries.map { String(decoding: $0.response.body, as: UTF8.self) } == ["one", "one"])
    #expect(entries[0].comment?.contains("Nothing is stored") == true)
    #expect(entries[1].comment?.contains("It is fresh") == true)
    #expect(entries[1].response.headerFields[.cacheStatus]?.contains("hit") == true)
  }

  @Test func `what is stored can be listed`() async throws {
    test.stub.stub(.get, "/a", with: test.response("one"))
    _ = try await test.client.send(path)
    test.date.advance(by: 70)
    let item = try #require(await test.cache.contents().first)
    #expect(item.key.url == "https://api.example.com/a" && item.key.account == nil)
    #expect(item.age == 70 && item.timeToLive == -10 && item.response.bodySize == 3)
    #expect(!item.status.isHit && item.status.cause == .staleWithoutValidator)
  }

  @Test func `the connection is known from the requests`() async throws {
    let status = test.client.configuration.connection
    var changes = status.changes.makeAsyncIterator()
    #expect(await changes.next() == false)
    test.stub.stub(
      .get, "/a", with: .failure(Client.TransportFailure(.unreachable, reason: "no network")),
      .status(.internalServerError))
    _ = try? await test.client.send(path)
    #expect(status.isOffline)
    #expect(await changes.next() == true)
    _ = try? await test.client.send(path)
    #expect(!status.isOffline)
    #expect(await changes.next() == false)
  }
}
