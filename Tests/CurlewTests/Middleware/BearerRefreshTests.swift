import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BearerRefreshTests {
  struct Grant: Decodable {
    let access: String
    let refresh: String?
  }

  /// The API: it holds requests with the refused token, and responds to requests with another token.
  private var (clock, stub) = stubOnTestClock()
  private let refused = StubGate()
  /// The server that issues tokens.
  private let tokens: StubTransport
  private let grants: StubGate

  init() {
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
    let auth = Client(baseURL: "https://auth.example.com") {
      $0.transport = tokens
      $0.clock = clock
    }
    return .bearer(token) { old in
      let grant = try await auth.send(
        Request<Grant>.post("/token", body: .form(["refresh_token": old.refresh])))
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
    .stubbed(
      by: stub, way, [bearer(token ?? old)], network: network, limits: limits, waits: waits)
  }

  private func call(_ client: Client, _ count: Int) -> [Call<Int>] {
    (0..<count).map { client.call(.get("/\($0)")) }
  }

  private func authorizations() -> [String?] {
    stub.requests.map { $0.head.headerFields[.authorization] }
  }

  @Test(arguments: Way.allCases)
  func `a token is refreshed and the request sent once more`(way: Way) async throws {
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
  func `fifty refusals in any order cost one refresh`(way: Way, seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let client = client(way)
    let callers = call(client, 50)
    await refused.waitForRequests(50)
    // The refresh ends at a random moment between the refusals.
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

  @Test(arguments: Way.allCases)
  func `requests that come during a refresh wait for it`(way: Way) async throws {
    let client = client(way)
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
  func `a failed refresh fails each waiter once and the next request tries anew`(way: Way)
    async throws
  {
    let client = client(way)
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

  @Test func `a refusal after a failed refresh begins another`() async throws {
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
  func `cancelling the one who began a refresh does not end it`(way: Way) async throws {
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
  func `a limit of time holds for the refresh too`(way: Way) async throws {
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
    // The refresh continues for the next request.
    #expect(grants.held.count == 1)
    grants.respond(with: granted)
    #expect(try await client.send(Request<Int>.get("/y")) == 1)
    #expect(tokens.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func `after a refresh the limit of time still holds`(way: Way) async throws {
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
  func `without a token a request goes without one`(way: Way) async throws {
    let client = client(way, .some(nil))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    stub.stub(.post, "/sign-in", with: .status(.unauthorized))
    let error = await client.result(of: Request<Int>.post("/sign-in")).failure
    #expect(error?.status == .unauthorized && error?.request?.contains("/sign-in") == true)
    #expect(authorizations() == [nil, nil] && tokens.requests.isEmpty)
  }

  @Test(arguments: [(HTTPResponse.Status.unauthorized, 1), (.forbidden, 0)])
  func `a second refusal stands and so do other statuses`(
    status: HTTPResponse.Status, refreshes: Int
  ) async {
    stub.stub(.get, "/x", with: .status(status))
    grants.respondToAll(with: granted)
    #expect(await client().result(of: Request<Int>.get("/x")).failure?.status == status)
    #expect(stub.requests.count == 1 + refreshes && tokens.requests.count == refreshes)
  }

  @Test func `a request with a body is sent again with it`() async throws {
    stub.stub(.post, "/x", with: .status(.unauthorized), .json("1"))
    grants.respondToAll(with: granted)
    #expect(try await client().send(Request<Int>.post("/x", body: .json([1]))) == 1)
    #expect(stub.requests.map(\.body?.data) == [Data("[1]".utf8), Data("[1]".utf8)])
  }

  @Test(arguments: Way.allCases)
  func `a body that is read once gets its 401 and a refresh`(way: Way) async throws {
    stub.stub(.post, "/x", with: .status(.unauthorized))
    let client = client(way)
    let body = RequestBody.stream(once: AsyncStream<Data> { $0.finish() })
    let error = try await client.failure(of: Request<Int>.post("/x", body: body))
    #expect(error.status == .unauthorized)
    await grants.waitForRequests(1)
    // Later requests wait for the refresh.
    async let later = client.send(Request<Int>.get("/y"))
    grants.respond(with: granted)
    #expect(try await later == 1)
    #expect(authorizations() == ["Bearer old-s3cret", "Bearer new-s3cret"])
    #expect(tokens.requests.count == 1)
  }

  @Test func `an endpoint's own credentials are its own matter`() async {
    stub.stub(.get, "/x", with: .status(.unauthorized))
    let own = Request<Int>.get("/x", headerFields: [.authorization: "Basic YTpi"])
    #expect(await client().result(of: own).failure?.status == .unauthorized)
    #expect(authorizations() == ["Basic YTpi"])
    #expect(tokens.requests.isEmpty)
  }

  @Test(arguments: [("/y", 1), ("https://other.example/y", 0)])
  func `a refusal after a redirect counts within the origin only`(location: String, refreshes: Int)
    async
  {
    stub.stub(.get, "/x", with: .status(.found, [.location: location]))
    stub.stub(.get, "/y", with: .status(.unauthorized), .json("1"))
    grants.respondToAll(with: granted)
    let result = await client().result(of: Request<Int>.get("/x"))
    let isWithin = refreshes == 1
    #expect((try? result.get()) == (isWithin ? 1 : nil))
    #expect(result.failure?.status == (isWithin ? nil : .unauthorized))
    #expect(
      authorizations().prefix(2) == ["Bearer old-s3cret", isWithin ? "Bearer old-s3cret" : nil])
    #expect(tokens.requests.count == refreshes)
  }

  @Test(arguments: Way.allCases)
  func `a refused response keeps no place of a concurrency limit`(way: Way) async throws {
    stub.stub(.get, "/x", with: .chunks([], status: .unauthorized), .json("1"))
    grants.respondToAll(with: granted)
    let limit = ConcurrencyLimit(1)
    let client = client(way, network: [.concurrency(limit)])
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(limit.status(of: "api.example.com").running == 0)
  }

  @Test func `no text holds a token`() async throws {
    let middleware = bearer(old)
    let client = Client.stubbed(by: stub) { $0.middleware = [middleware] }
    var texts: [String] = []
    for response in [
      StubResponse.json(#"{"message": "old-s3cret is wrong"}"#, status: .forbidden),
      .json(#"{"token": "new-s3cret"}"#), .status(.found, [.location: "ftp://old-s3cret/"]),
      .failure(Client.TransportFailure(.lost, reason: "lost with Bearer old-s3cret")),
    ] {
      stub.stub(.get, "/x", with: response)
      let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
      texts.append(allTexts(of: error))
      if let failure = error.statusFailure {
        texts.append(String(decoding: failure.body, as: UTF8.self))
      }
    }
    texts += ([middleware, old, client, client.configuration] as [Any]).map(allTexts)
    for text in texts { #expect(!text.contains("old-s3cret") && !text.contains("refresh-s3c")) }
  }

  @Test func `a refresh by the client itself gets no token and does not wait for one`() async throws
  {
    let stub = StubTransport(clock: clock)
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    stub.stub(.post, "/token", with: .json(#"{"access": "new-s3cret"}"#))
    let own = Mutex<Client?>(nil)
    let client = Client.stubbed(by: stub) {
      $0.middleware = [
        .bearer(old) { _ in
          let grant = try await own.withLock { $0 }!.send(Request<Grant>.post("/token"))
          return BearerToken(access: Sensitive(grant.access))
        }
      ]
    }
    own.withLock { $0 = client }
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == [
        "Bearer old-s3cret", nil, "Bearer new-s3cret",
      ])
  }

  @Test func `two refreshes that need each other's client end`() async throws {
    let stub = StubTransport(clock: clock)
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    stub.stub(.post, "/token", with: .status(.unauthorized), .json(#"{"access": "new"}"#))
    let other = Mutex<Client?>(nil)
    @Sendable func refresh(by client: Client) async throws -> BearerToken {
      let grant = try await client.send(Request<Grant>.post("/token"))
      return BearerToken(access: Sensitive(grant.access))
    }
    let first = Client.stubbed(by: stub) {
      $0.middleware = [.bearer(old) { _ in try await refresh(by: other.withLock { $0 }!) }]
    }
    other.withLock { value in
      value = Client.stubbed(by: stub) {
        $0.middleware = [.bearer(old) { _ in try await refresh(by: first) }]
      }
    }
    #expect(try await first.send(Request<Int>.get("/x")) == 1)
    #expect(stub.requests.count == 5)
  }

  @Test func `an unknown error of a refresh is a transport failure`() async throws {
    struct Broken: Error {}
    stub.stub(.get, "/x", with: .status(.unauthorized))
    let client = Client.stubbed(by: stub) { $0.middleware = [.bearer(old) { _ in throw Broken() }] }
    let error = await client.result(of: Request<Int>.get("/x")).failure
    guard case .transport(let failure) = error else {
      Testing.Issue.record("\(error as Any)")
      return
    }
    #expect(failure.reason.contains("Broken"))
  }

  @Test func `a failed refresh is the error of the request`() async throws {
    grants.respond(with: .status(.unauthorized))
    stub.stub(.get, "/x", with: .status(.unauthorized))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .unauthorized)
    #expect(error?.request == "POST https://auth.example.com/token")
    #expect(tokens.requests.count == 1 && stub.requests.count == 1)
  }
}
