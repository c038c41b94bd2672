import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The order of requests, storing and removal.
@Suite(.timeLimit(.minutes(1)))
struct CacheOrderTests {
  private let test = CachingClient()
  private let path = Request<String>.get("/a")
  private let ofA = Request<String>.get("/a", headerFields: [.authorization: "Bearer A"])

  // MARK: A sign-out while a call waits

  enum Purge: CaseIterable { case all, own, others, ownForgotten }

  @Test(arguments: Purge.allCases)
  func `call that waits for a retry stores nothing after its purge`(_ purge: Purge) async throws {
    let clock = TestClock()
    let test = CachingClient(
      account: { _ in "A" },
      configure: { ($0.clock, $0.middleware) = (clock, [.retrying()]) })
    test.stub.stub(.get, "/a", with: .status(.serviceUnavailable), test.response("of A"))
    let task = Task { try await test.client.send(ofA) }
    await eventually { test.log.stages().contains("retrying") }
    switch purge {
    case .all: await test.cache.removeAll()
    case .own: await test.cache.removeAll(of: "A")
    case .others: for account in ["B", nil] { await test.cache.removeAll(of: account) }
    case .ownForgotten:
      await test.cache.removeAll(of: "A")
      for number in 0..<1_000 { await test.cache.removeAll(of: "\(number)") }
    }
    clock.advance(by: .seconds(10))
    #expect(try await task.value == "of A")
    #expect(test.stub.requests.count == 2)
    #expect(await test.cache.contents().count == (purge == .others ? 1 : 0))
    // The next user's call begins after the purge.
    test.stub.stub(.get, "/a", with: test.response("next"))
    #expect(try await test.client.send(ofA, cache: .reload) == "next")
    #expect(await test.cache.contents().count == 1)
  }

  @Test func `call whose lookup is slow stores nothing after a purge`() async throws {
    let gate = Gate()
    let storage = HookedStorage { _ in
      await gate.wait()
      return nil
    }
    let stub = StubTransport()
    let cache = ResponseCache(storage, account: { _ in "A" })
    let client = Client.stubbed(by: stub) { $0.cache = cache }
    stub.stub(
      .get, "/a",
      with: .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("of A".utf8))))
    let task = Task { try await client.send(ofA) }
    await gate.waitForArrival()
    await cache.removeAll(of: "A")
    gate.open()
    #expect(try await task.value == "of A")
    #expect(await cache.contents().isEmpty)
  }

  // MARK: Which response is newer

  private typealias Call = Task<String, any Error>

  /// Starts two requests that are in flight at the same time, the second a second later.
  private func twoUnderWay() async -> (Call, Call, [StubGate]) {
    let gates = [StubGate(), StubGate()]
    test.stub.stub(.get, "/a", with: .held(by: gates[0]), .held(by: gates[1]))
    var calls: [Call] = []
    for gate in gates {
      calls.append(Task { try await test.client.send(path) })
      await gate.waitForRequests(1)
      test.date.advance(by: 1)
    }
    return (calls[0], calls[1], gates)
  }

  @Test(arguments: [true, false])
  func `response that was asked for first and comes last replaces nothing`(hasDate: Bool)
    async throws
  {
    let (first, second, gates) = await twoUnderWay()
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

  @Test func `later date is newer whatever the order`() async throws {
    let (first, second, gates) = await twoUnderWay()
    gates[1].respond(with: test.response("early"))
    _ = try await second.value
    test.date.advance(by: 3)
    gates[0].respond(with: test.response("late"))
    _ = try await first.value
    #expect(try await test.client.send(path) == "late")
  }

  @Test(arguments: [true, false])
  func `what is too large to store replaces what is stored`(isStreamed: Bool) async throws {
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

  @Test(arguments: ["X-Auth-Token", "Private-Token", "Api-Key", "X-Access-Token", "X-Api-Key"])
  func `tokens of APIs are credentials`(name: String) async throws {
    let name = try #require(HTTPField.Name(name))
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

  @Test func `host of an endpoint belongs to the key`() async throws {
    test.stub.stub(.get, "/a", with: test.response("A"), test.response("B"), test.response("C"))
    test.stub.stub(.delete, "/a", with: .status(.noContent))
    let other = Request<String>.get("/a", headerFields: ["Host": "other.example"])
    #expect(try await test.client.send(path) == "A")
    #expect(try await test.client.send(other) == "B")
    #expect(try await test.client.send(path) == "A")
    try await test.client.send(.delete("/a", headerFields: ["Host": "OTHER.example"]))
    #expect(try await test.client.send(path) == "A")
    #expect(try await test.client.send(other) == "C")
  }

  @Test func `variants of one URL are limited`() async throws {
    test.stub.stub(.get, "/a", with: test.response("x", "max-age=60", [.vary: "X-Variant"]))
    for number in 0..<200 {
      let _: String = try await test.client.send(
        .get("/a", headerFields: ["X-Variant": "\(number)"]))
    }
    #expect(await test.cache.contents().count == 64)
    let count = test.stub.requests.count
    let _: String = try await test.client.send(.get("/a", headerFields: ["X-Variant": "199"]))
    #expect(test.stub.requests.count == count)
  }
}
