import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BearerRefreshTests {
  struct Grant: Decodable {
    let access: String
    let refresh: String?
  }

  private let clock = TestClock()
  /// The API: holds what comes with the token that it refuses, responses what comes with another.
  private let stub: StubTransport
  private let refused = StubGate()
  /// The server that gives tokens.
  private let tokens: StubTransport
  private let grants: StubGate

  init() {
    stub = StubTransport(clock: clock)
    tokens = StubTransport(clock: clock)
    grants = tokens.hold(.post, "/token")
    let refusing = StubTransport(clock: clock)
    refusing.stub(.get, "/**", with: .held(by: refused))
    stub.stub(
      .get, "/**",
      with: .responding { request in
        if request.head.headerFields[.authorization] == "Bearer old-s3cret" {
          return try await refusing.send(request)
        }
        return IncomingResponse(head: HTTPResponse(status: .ok), body: ResponseBody(Data("1".utf8)))
      })
  }

  private func bearer(_ token: BearerToken?) -> StandardMiddleware {
    let client = TokenClient(
      baseURL: "https://auth.example.com", transport: tokens, clock: clock)
    return .bearer(token, with: client) { client, old throws(Client.Error) in
      let grant = try await client.send(
        Request<Grant>.post("/token", body: .form(["refresh_token": old?.refresh])))
      return BearerToken(
        access: Sensitive(grant.access), refresh: grant.refresh.map { Sensitive($0) })
    }
  }

  private let old = BearerToken(
    access: Sensitive("old-s3cret"), refresh: Sensitive("refresh-s3cret"))
  private let granted = StubResponse.json(#"{"access": "new-s3cret", "refresh": "r2"}"#)

  private let waits = Waits()

  private func client(
    _ way: Way = .taskOfItsOwn, _ token: BearerToken?? = .none,
    network: [any NetworkMiddleware] = [],
    limits: Limits = .endless
  ) -> Client {
    .stubbed(by: stub, way, [bearer(token ?? old)], network: network, limits: limits)
  }

  private typealias Caller = Task<Result<Int, Client.Error>, Never>

  private func call(_ client: Client, _ count: Int) -> [Caller] {
    (0..<count).map { number in
      Task { await client.result(of: Request<Int>.get("/\(number)")) }
    }
  }

  private func authorizations() -> [String?] {
    stub.requests.map { $0.head.headerFields[.authorization] }
  }

  @Test(arguments: Way.allCases)
  func aTokenIsRefreshedAndTheRequestSentOnceMore(way: Way) async throws {
    async let result = client(way).result(of: Request<Int>.get("/x"))
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    #expect(grants.held[0].body?.data == Data("refresh_token=refresh-s3cret".utf8))
    #expect(grants.held[0].head.headerFields[.authorization] == nil)
    grants.respond(with: granted)
    #expect(try await result.get() == 1)
    #expect(authorizations() == ["Bearer old-s3cret", "Bearer new-s3cret"])
  }

  @Test(arguments: Way.allCases, [1, 2, 3] as [UInt64])
  func fiftyRefusalsInAnyOrderCostOneRefresh(way: Way, seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let client = client(way)
    let callers = call(client, 50)
    await refused.waitForRequests(50)
    // The refresh ends somewhere between the refusals.
    let end = Int.random(in: 1..<50, using: &generator)
    for number in 0..<50 {
      if number == end {
        await grants.waitForRequests(1)
        grants.respond(with: granted)
      }
      if Bool.random(using: &generator) {
        refused.respond(with: .status(.unauthorized))
      } else {
        refused.respondToNewest(with: .status(.unauthorized))
      }
      if Bool.random(using: &generator) { await Task.yield() }
    }
    for caller in callers { #expect(await caller.value.failure == nil) }
    #expect(tokens.requests.count == 1)
    #expect(stub.requests.count == 100)
  }

  @Test func aLateRefusalOfTheOldTokenNeedsNoRefresh() async throws {
    let client = client()
    let callers = call(client, 2)
    await refused.waitForRequests(2)
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    grants.respond(with: granted)
    await stub.waitForRequests(3)
    // Long after that.
    #expect(try await client.send(Request<Int>.get("/later")) == 1)
    refused.respond(with: .status(.unauthorized))
    for caller in callers { #expect(try await caller.value.get() == 1) }
    #expect(tokens.requests.count == 1)
    #expect(stub.requests.count == 5)
  }

  @Test(arguments: Way.allCases)
  func requestsThatComeDuringARefreshWaitForIt(way: Way) async throws {
    let middleware = bearer(old)
    let client = Client.stubbed(by: stub, way, [middleware], limits: .endless, waits: waits)
    let first = call(client, 1)
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    let others = call(client, 5)
    await eventually { waits.count == 6 }
    #expect(stub.requests.count == 1)
    grants.respond(with: granted)
    for caller in first + others { #expect(try await caller.value.get() == 1) }
    #expect(authorizations().dropFirst().allSatisfy { $0 == "Bearer new-s3cret" })
    #expect(tokens.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func aFailedRefreshFailsEachWaiterOnceAndTheNextRequestTriesAnew(way: Way) async throws {
    let middleware = bearer(old)
    let client = Client.stubbed(by: stub, way, [middleware], limits: .endless, waits: waits)
    let callers = call(client, 10)
    await refused.waitForRequests(10)
    for _ in 0..<10 { refused.respond(with: .status(.unauthorized)) }
    await grants.waitForRequests(1)
    await eventually { waits.count == 10 }
    grants.respond(with: .json(#"{"error": "invalid_grant"}"#, status: .badRequest))
    for caller in callers { #expect(await caller.value.failure?.status == .badRequest) }
    #expect(tokens.requests.count == 1 && stub.requests.count == 10)
    #expect(waits.count == 0)
    grants.respond(with: granted)
    refused.respond(with: .status(.unauthorized))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(tokens.requests.count == 2)
  }

  @Test func aRefusalAfterAFailedRefreshBeginsAnother() async throws {
    let client = client()
    let callers = call(client, 2)
    await refused.waitForRequests(2)
    let first = try #require(refused.held[0].head.path?.last?.wholeNumberValue)
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    grants.respond(with: .failure(URLError(.notConnectedToInternet)))
    #expect(await callers[first].value.failure?.transportFailure != nil)
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(2)
    grants.respond(with: granted)
    #expect(try await callers[1 - first].value.get() == 1)
  }

  @Test(arguments: Way.allCases)
  func cancellingTheOneWhoBeganARefreshDoesNotEndIt(way: Way) async throws {
    let client = client(way)
    let starter = call(client, 1)[0]
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    let others = call(client, 3)
    starter.cancel()
    #expect(await starter.value.failure?.isCancelled == true)
    #expect(grants.held.count == 1 && grants.cancelled == 0)
    grants.respond(with: granted)
    for caller in others { #expect(try await caller.value.get() == 1) }
    #expect(tokens.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func aLimitOfTimeHoldsForTheRefreshToo(way: Way) async throws {
    let client = client(way, limits: Limits(firstByte: .seconds(5), total: .seconds(10)))
    async let result = client.result(of: Request<Int>.get("/x"))
    await refused.waitForRequests(1)
    clock.advance(by: .seconds(4))
    refused.respond(with: .status(.unauthorized))
    await grants.waitForRequests(1)
    clock.advance(by: .milliseconds(5_999))
    #expect(grants.held.count == 1)
    clock.advance(by: .milliseconds(1))
    let failure = try #require(await result.failure?.timeoutFailure)
    #expect(failure.limit == .total)
    // The refresh goes on for the next one.
    #expect(grants.held.count == 1)
    grants.respond(with: granted)
    #expect(try await client.send(Request<Int>.get("/y")) == 1)
    #expect(tokens.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func afterARefreshTheLimitOfTimeStillHolds(way: Way) async throws {
    let gate = StubGate()
    stub.stub(.get, "/slow", with: .status(.unauthorized), .held(by: gate))
    let client = client(way, limits: Limits(firstByte: nil, total: .seconds(10)))
    async let result = client.result(of: Request<Int>.get("/slow"))
    await grants.waitForRequests(1)
    grants.respond(with: granted)
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(10))
    #expect(await result.failure?.timeoutFailure?.limit == .total)
    await gate.waitForCancellations(1)
  }

  @Test(arguments: Way.allCases)
  func withoutATokenTheFirstRequestsGetOne(way: Way) async throws {
    let client = client(way, .some(nil))
    let callers = call(client, 10)
    await grants.waitForRequests(1)
    #expect(grants.held[0].body?.data == Data())
    #expect(stub.requests.isEmpty)
    grants.respond(with: granted)
    for caller in callers { #expect(try await caller.value.get() == 1) }
    #expect(authorizations() == Array(repeating: "Bearer new-s3cret", count: 10))
    #expect(tokens.requests.count == 1)
  }

  @Test func aSecondRefusalStands() async throws {
    stub.stub(.get, "/x", with: .status(.unauthorized))
    grants.respondToAll(with: granted)
    let client = client()
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .unauthorized)
    #expect(stub.requests.count == 2 && tokens.requests.count == 1)
  }

  @Test func otherStatusesRefreshNothing() async {
    stub.stub(.get, "/x", with: .status(.forbidden))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .forbidden)
    #expect(tokens.requests.isEmpty)
  }

  @Test func aRequestWithABodyIsSentAgainWithIt() async throws {
    stub.stub(.post, "/x", with: .status(.unauthorized), .json("1"))
    grants.respondToAll(with: granted)
    #expect(try await client().send(Request<Int>.post("/x", body: .json([1]))) == 1)
    #expect(stub.requests.map(\.body?.data) == [Data("[1]".utf8), Data("[1]".utf8)])
  }

  @Test func anEndpointsOwnCredentialsAreItsOwnMatter() async {
    stub.stub(.get, "/x", with: .status(.unauthorized))
    let own = Request<Int>.get("/x", headerFields: [.authorization: "Basic YTpi"])
    #expect(await client().result(of: own).failure?.status == .unauthorized)
    #expect(authorizations() == ["Basic YTpi"])
    #expect(tokens.requests.isEmpty)
  }

  @Test func anotherOriginsRefusalSaysNothingAboutTheToken() async {
    stub.stub(.get, "/x", with: .status(.found, [.location: "https://other.example/y"]))
    stub.stub(.get, "/y", with: .status(.unauthorized))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .unauthorized)
    #expect(authorizations() == ["Bearer old-s3cret", nil])
    #expect(tokens.requests.isEmpty)
  }

  @Test func aRefusalAfterARedirectWithinTheOriginCounts() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: .status(.unauthorized), .json("1"))
    grants.respondToAll(with: granted)
    #expect(try await client().send(Request<Int>.get("/x")) == 1)
    #expect(tokens.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func aRefusedResponseKeepsNoPlaceOfAConcurrencyLimit(way: Way) async throws {
    stub.stub(
      .get, "/x",
      with: .responding { _ in
        IncomingResponse(
          head: HTTPResponse(status: .unauthorized), body: ResponseBody { { nil } })
      }, .json("1"))
    grants.respondToAll(with: granted)
    let limit = ConcurrencyLimit(1)
    let client = client(way, network: [.concurrency(limit)])
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(limit.status(of: "api.example.com").running == 0)
  }

  @Test func noTextHoldsAToken() async throws {
    let middleware = bearer(old)
    let client = Client.stubbed(by: stub) { $0.middleware = [middleware] }
    var texts: [String] = []
    for response in [
      StubResponse.json(#"{"message": "old-s3cret is wrong"}"#, status: .forbidden),
      .json(#"{"token": "new-s3cret"}"#), .status(.found, [.location: "ftp://old-s3cret/"]),
      .failure(TokenError(text: "lost with Bearer old-s3cret")),
    ] {
      stub.stub(.get, "/x", with: response)
      let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
      texts += ["\(error)", error.localizedDescription]
      if let failure = error.statusFailure {
        texts.append(String(decoding: failure.body, as: UTF8.self))
      }
    }
    for value: Any in [middleware, old, client, client.configuration] {
      var dumped = ""
      dump(value, to: &dumped)
      texts += [dumped, "\(value)", String(reflecting: value)]
    }
    for text in texts { #expect(!text.contains("old-s3cret") && !text.contains("refresh-s3c")) }
  }

  struct TokenError: Error {
    let text: String
  }

  @Test func theRefreshRequestPassesNoMiddleware() async throws {
    // By its type: a token client can be given none, and the closure gets nothing else.
    grants.respond(with: .status(.unauthorized))
    stub.stub(.get, "/x", with: .status(.unauthorized))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .unauthorized)
    #expect(error?.request == "POST https://auth.example.com/token")
    #expect(tokens.requests.count == 1 && stub.requests.count == 1)
  }
}
