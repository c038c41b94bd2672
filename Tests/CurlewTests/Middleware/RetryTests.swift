import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Which requests are retried, and how often.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
  private var (clock, stub) = stubOnTestClock()

  /// Returns a client that retries without waits.
  private func client(
    _ way: Way = .taskOfItsOwn, _ change: (inout RetryPolicy) -> Void = { _ in }
  ) -> Client {
    var policy = RetryPolicy()
    policy.random = { 0 }
    change(&policy)
    return .stubbed(by: stub, way, [.retrying(policy)], limits: .endless)
  }

  @Test(arguments: Way.allCases)
  func `a failure that passes is not seen`(way: Way) async throws {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .status(.badGateway), .json("1"))
    #expect(try await client(way).send(Request<Int>.get("/x")) == 1)
    #expect(stub.requests.count == 3)
  }

  @Test(arguments: Way.allCases)
  func `a body that breaks off is asked for again`(way: Way) async throws {
    stub.stub(.get, "/x", with: .json("12345").cut(after: 3), .json("12345"))
    #expect(try await client(way).send(Request<Int>.get("/x")) == 12345)
    #expect(stub.requests.count == 2)
  }

  @Test func `an error whose body breaks off stays that error`() async {
    stub.stub(.get, "/x", with: .json("\"abcd\"", status: .notFound).cut(after: 3))
    let error = await client().result(of: Request<String>.get("/x")).failure
    #expect(error?.status == .notFound)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: Way.allCases, Client.TransportFailure.Kind.allCases)
  func `failure that is not retryable is not retried`(
    way: Way, kind: Client.TransportFailure.Kind
  ) async {
    stub.stub(.get, "/x", with: .failure(Client.TransportFailure(kind, reason: "failed")))
    let error = await client(way).result(of: Request<Int>.get("/x")).failure
    #expect(error?.transportFailure?.kind == kind)
    #expect(stub.requests.count == (kind.isRetryable ? 3 : 1))
  }

  /// A discarded body is not awaited for long.
  @Test(arguments: Way.allCases)
  func `a stalled body does not delay the next attempt`(way: Way) async throws {
    let pieces = StubGate()
    stub.stub(
      .get, "/x",
      with: .body(
        first: Data("1".utf8), heldBy: pieces, status: .serviceUnavailable, [.contentLength: "9"]),
      .json("7"))
    let client = client(way)
    async let number = client.send(Request<Int>.get("/x"))
    await pieces.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(100))
    #expect(try await number == 7)
    await pieces.waitForCancellations(1)
  }

  /// RFC 9110 section 15: a status that is not registered counts as the x00 of its class.
  @Test func `an unregistered server error is retried as a 500`() async {
    for code in 500...999 {
      stub.stub(.get, "/x", with: .status(.init(code: code)), .json("1"))
      let isRetried = [500, 502, 503, 504, 509].contains(code) || 512...599 ~= code
      let result = await client { $0.retryBudget = 1_000 }.result(of: Request<Int>.get("/x"))
      #expect((result.failure == nil) == isRetried, "\(code)")
    }
    stub.stub(.get, "/y", with: .status(.init(code: 520)), .status(.init(code: 521)), .json("1"))
    var error = await client { $0.statuses = [503] }.result(of: Request<Int>.get("/y")).failure
    #expect(error?.status?.code == 520)
    error = await client { $0.statuses = [503, 521] }.result(of: Request<Int>.get("/y")).failure
    #expect(error == nil)
  }

  @Test func `a policy without429 retries no rate limit`() async {
    stub.stub(.get, "/x", with: .status(.tooManyRequests))
    stub.stub(.get, "/y", with: .status(.forbidden, [.retryAfter: "0"]))
    let client = client { $0.statuses.remove(429) }
    for path in ["/x", "/y"] as [Path] {
      _ = await client.result(of: Request<Int>.get(path))
    }
    #expect(stub.requests.count == 2)
  }

  @Test func `a status of the policy's own may say how long`() async throws {
    let overloaded = HTTPResponse.Status(code: 529)
    stub.stub(.get, "/x", with: .status(overloaded, [.retryAfter: "7"]), .json("1"))
    let client = client { $0.statuses.insert(529) }
    let caller = client.call(Request<Int>.get("/x"))
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(6_999))
    #expect(stub.requests.count == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await caller.value.get() == 1)
  }

  @Test(arguments: [-1, 0, 1, 2, 7])
  func `attempts are what they are set to`(attempts: Int) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    _ = await client { $0.attempts = attempts }.result(of: Request<Int>.get("/x"))
    #expect(stub.requests.count == max(1, attempts))
  }

  private static let transient = [408, 425, 429, 500, 502, 503, 504]

  @Test(arguments: transient + [304, 400, 401, 403, 404, 409, 410, 413, 422, 501, 505, 600])
  func `statuses that may pass are repeated and others stand`(code: Int) async {
    stub.stub(.get, "/x", with: .status(.init(code: code)))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status?.code == code)
    #expect(stub.requests.count == (Self.transient.contains(code) ? 3 : 1))
  }

  @Test func `a response that cannot be read stands`() async {
    stub.stub(.get, "/x", with: .json("{"))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.decodingFailure != nil)
    #expect(stub.requests.count == 1)
  }

  @Test(
    arguments: [HTTPRequest.Method.get, .head, .options, .trace, .put, .delete].map { ($0, 2) }
      + [.post, .patch, .connect].map { ($0, 1) })
  func `idempotent methods are repeated and others are not`(
    method: HTTPRequest.Method, attempts: Int
  ) async {
    let endpoint = Request<Void>(method, "/x", decoding: .discarded)
    for failure in [.status(.serviceUnavailable), .failure(URLError(.networkConnectionLost))]
      as [StubResponse]
    {
      stub.stub(method, "/x", with: failure, .status(.ok))
      let before = stub.requests.count
      #expect((await client().result(of: endpoint).failure == nil) == (attempts == 2))
      #expect(stub.requests.count - before == attempts)
    }
  }

  @Test func `an endpoint says whether it may be repeated`() async throws {
    struct Order: Endpoint {
      var request: Request<Int> { .post("/x").retryable() }
    }
    stub.stub(.post, "/x", with: .status(.serviceUnavailable), .json("1"))
    let endpoint = Request<Int>.post("/x", body: .json(["name": "a"])).retryable()
    #expect(try await client().send(endpoint) == 1)
    #expect(
      stub.requests.map(\.body?.data) == Array(repeating: Data(#"{"name":"a"}"#.utf8), count: 2))
    stub.stub(.post, "/x", with: .status(.serviceUnavailable), .json("1"))
    #expect(try await client().send(Order()) == 1)
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    _ = await client().result(of: Request<Int>.get("/x").retryable(false))
    #expect(stub.requests.count == 5)
  }

  // MARK: The budget

  @Test func `an outage is not multiplied`() async {
    stub.stub(.get, "/**", with: .status(.serviceUnavailable))
    let client = client()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...1_000 {
        group.addTask { _ = await client.result(of: Request<Int>.get("/\(number)")) }
      }
    }
    // The retry budget's reserve and no more: there were no successes that would have refilled it.
    #expect(stub.requests.count == 1_010)
  }

  @Test func `ten successes pay for one retry`() async throws {
    stub.stub(.get, "/good", with: .json("1"))
    stub.stub(.get, "/bad", with: .status(.serviceUnavailable))
    let client = client { $0.retryBudget = 1 }
    _ = await client.result(of: Request<Int>.get("/bad"))
    for retries in [0, 1] {
      let before = stub.requests.count
      for _ in 0..<(retries == 1 ? 1 : 9) { _ = try await client.send(Request<Int>.get("/good")) }
      _ = await client.result(of: Request<Int>.get("/bad"))
      #expect(stub.requests.count - before == (retries == 1 ? 1 : 9) + 1 + retries)
    }
  }

  @Test func `successes do not pile up`() async throws {
    stub.stub(.get, "/good", with: .json("1"))
    stub.stub(.get, "/bad", with: .status(.serviceUnavailable))
    let client = client()
    for _ in 1...1_000 { _ = try await client.send(Request<Int>.get("/good")) }
    for _ in 1...100 { _ = await client.result(of: Request<Int>.get("/bad")) }
    #expect(stub.requests.count { $0.head.path == "/bad" } == 110)
  }

  // MARK: Bodies of discarded responses

  @Test(arguments: [(5, 1), (2_048, 1), (2_049, 0), (nil, 0)])
  func `a short discarded body is read to its end`(length: Int?, ended: Int) async throws {
    let ends = Level()
    stub.stub(
      .get, "/x",
      with: .responding { _ in
        var head = HTTPResponse(status: .serviceUnavailable)
        head.headerFields[.contentLength] = length.map { "\($0)" }
        return IncomingResponse(
          head: head,
          body: ResponseBody {
            var isRead = false
            return {
              if isRead { ends.rise() }
              defer { isRead = true }
              return isRead ? nil : Data(count: length ?? 5)
            }
          })
      }, .json("1"))
    #expect(try await client().send(Request<Int>.get("/x")) == 1)
    #expect(ends.now == ended)
  }

  @Test func `a discarded body that breaks is no matter`() async throws {
    let lost = URLError(.networkConnectionLost)
    stub.stub(
      .get, "/x",
      with: .chunks([], error: lost, status: .serviceUnavailable, [.contentLength: "5"]),
      .json("1"))
    #expect(try await client().send(Request<Int>.get("/x")) == 1)
  }
}
