import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Middlewares of single requests.
@Suite(.timeLimit(.minutes(1)))
struct MiddlewareChangeTests {
  private var (clock, stub) = stubOnTestClock()

  init() {
    stub.stub(.get, "/**", with: .json("1"))
  }

  /// Appends its name to each request.
  private struct Tag: Middleware, NetworkMiddleware {
    let name: String
    init(_ name: String) { self.name = name }

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      var request = request
      request.head.headerFields[.userAgent] = (request.head.headerFields[.userAgent] ?? "") + name
      return try await next(request)
    }
  }

  private struct Quick: Endpoint {
    var request: Request<Int> { .get("/x").without(.retrying).adding(Tag("q")) }
  }

  private func client(_ way: Way = .inline, _ middleware: [any Middleware] = []) -> Client {
    .stubbed(by: stub, way, middleware, network: [Tag("n")], limits: .endless) {
      $0.headerFields = [.userAgent: ""]
    }
  }

  private var tags: [String] { stub.requests.map { $0.head.headerFields[.userAgent] ?? "" } }

  @Test(arguments: Way.allCases) func `a request goes without retries`(way: Way) async throws {
    var policy = RetryPolicy()
    policy.baseDelay = .zero
    let client = client(way, [.retrying(policy), Tag("m")])
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let once = Request<Int>.get("/x").without(.retrying)
    #expect(await client.result(of: once).failure?.status == .serviceUnavailable)
    #expect(tags == ["mn"])
    #expect(await client.result(of: Quick()).failure?.status == .serviceUnavailable)
    #expect(tags == ["mn", "mqn"])
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.status == .serviceUnavailable)
    #expect(tags.count == 5, "Others are retried.")
  }

  @Test func `both lists are changed in order`() async throws {
    let client = client(.inline, [Tag("m")])
    let request = Request<Int>.get("/x").adding(Tag("a")).adding(network: Tag("b"))
    for request in [
      request, request.without(.type(Tag.self)).adding(Tag("d")), request.without(.all),
      .get("/x"),
    ] { #expect(try await client.send(request) == 1) }
    #expect(tags == ["manb", "d", "", "mn"])
  }

  @Test func `each kind is left out`() {
    let cases: [(MiddlewareKind, [any Middleware], [any NetworkMiddleware])] = [
      (.retrying, [.retrying()], []), (.coalescing, [.coalescing], []),
      (
        .authorization,
        [
          .bearer("t"), .basic(user: "a", password: "b"),
          .bearer(nil) { _ in BearerToken(access: Sensitive("t")) },
        ], []
      ),
      (.apiKey, [.apiKey("k", query: "app")], []),
      (.headerFields, [.headerFields([.acceptLanguage: "en"])], []),
      (.rateBudget, [], [.rateBudget()]), (.concurrency, [], [.concurrency(1)]),
      (.circuitBreaker, [], [.circuitBreaker()]), (.cookies, [], [.cookies()]),
    ]
    for (kind, middleware, network) in cases {
      var lists = MiddlewareLists(
        middleware: cases.flatMap(\.1), networkMiddleware: cases.flatMap(\.2))
      lists.remove([kind])
      #expect(
        lists.middleware.count == 7 - middleware.count
          && lists.networkMiddleware.count == 4 - network.count, "\(kind)")
    }
  }

  @Test func `a request without its token shares no transfer`() async throws {
    let client = client(.inline, [.coalescing, .bearer("s3cret")])
    let gate = stub.hold(.get, "/x")
    async let one = client.send(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    async let other = client.send(Request<Int>.get("/x").without(.authorization))
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("1"))
    #expect(try await [one, other] == [1, 1])
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == ["Bearer s3cret", nil])
  }

  @Test func `what is left keeps its state`() async throws {
    let breaker = CircuitBreaker()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.retrying(attempts: 1)]
      $0.networkMiddleware = [.circuitBreaker(breaker)]
    }
    stub.stub(.get, "/x", with: .status(.internalServerError))
    for _ in 1...5 { _ = await client.result(of: Request<Int>.get("/x").without(.retrying)) }
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.holdFailure != nil)
    #expect(try await client.send(Request<Int>.get("/y").without(.circuitBreaker)) == 1)
  }

  @Test func `an added middleware cannot outlast the call's time`() async throws {
    let gate = Gate()
    let waiting = FunctionMiddleware { request, next throws(Client.Error) in
      await gate.wait()
      return try await next(request)
    }
    let client = Client.stubbed(
      by: stub, .inline, limits: Limits(firstByte: nil, total: .seconds(3)))
    async let result = client.result(of: Request<Int>.get("/x").adding(waiting))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(await result.failure?.timeoutFailure?.limit == .total)
    gate.open()
  }
}
