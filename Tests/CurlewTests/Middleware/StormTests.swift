import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// All middlewares for failures, in one chain and at the same time: random statuses, losses, expiring tokens, limits
/// and cancellations, on virtual time.
///
/// `CURLEW_SEED` tries other seeds.
@Suite(.timeLimit(.minutes(2)))
struct StormTests {
  private static let seeds = (0..<UInt64(20)).map { Fuzz.seed(1) &+ $0 }

  @Test(arguments: seeds, Way.allCases)
  func `every caller is answered and nothing is left`(seed: UInt64, way: Way) async {
    let clock = TestClock()
    let time = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(25))
        await Task.yield()
      }
    }
    await Storm(seed, way, clock).run()
    // The clients are released, and their timers with them.
    await eventually { clock.sleepers == 0 }
    time.cancel()
    await time.value
  }
}

/// One random story.
private final class Storm: Sendable {
  private let generator: SharedGenerator
  private let clock: TestClock
  private let way: Way
  /// The number of the valid token, and how many tokens have expired.
  private let token = Mutex((valid: 0, expired: 0))

  init(_ seed: UInt64, _ way: Way, _ clock: TestClock) {
    generator = SharedGenerator(seed)
    self.way = way
    self.clock = clock
  }

  private func chance(_ percent: Int) -> Bool { generator.int(in: 0..<100) < percent }

  private func rest(_ milliseconds: Range<Int>) async throws {
    try await clock.sleep(for: .milliseconds(generator.int(in: milliseconds)))
  }

  func run() async {
    let tokens = StubTransport(clock: clock)
    tokens.stub(
      .post, "/token",
      with: .sample { _ in
        try await self.rest(1..<300)
        return .json("\(self.token.withLock { $0.valid })")
      })
    let coalescing = StandardMiddleware.coalescing
    let limit = ConcurrencyLimit(4)
    let (waits, log) = (Waits(), EventLog(keepsEvents: false))
    let budget = RateBudget(clock: clock)
    let auth = Client(baseURL: "https://auth.example.com") {
      $0.transport = tokens
      $0.clock = self.clock
      // A refresh that times out would be an additional refresh, beyond the expiries.
      $0.limits = .endless
    }
    let bearer = StandardMiddleware.bearer(BearerToken(access: Sensitive("0"))) { _ in
      BearerToken(access: Sensitive("\(try await auth.send(Request<Int>.post("/token")))"))
    }
    var policy = RetryPolicy()
    policy.retryBudget = 1_000
    let api = api()
    let client = Client.stubbed(
      by: api, way,
      [coalescing, .retrying(policy), bearer],
      network: [.concurrency(limit), .rateBudget(budget)], waits: waits, log: log)

    let callers = (0..<300).map { _ in Task { await self.call(client) } }
    var responses = 0
    for caller in callers {
      responses += 1
      if let problem = await caller.value { Testing.Issue.record("\(problem)") }
    }
    #expect(responses == 300)

    // A refresh without callers may still be in flight.
    await eventually {
      waits.count == 0 && log.open == 0
        && limit.status(of: "api.example.com") == limit.status(of: "nobody.example")
    }
    #expect(log.problems == [])
    let expired = token.withLock { $0.expired }
    #expect(tokens.requests.count <= expired)
  }

  /// Sends one request and perhaps cancels it; returns its response's problem.
  private func call(_ client: Client) async -> String? {
    try? await rest(1..<10_000)
    let number = generator.int(in: 0..<40)
    var endpoint = Request<Int>.get("/\(number)")
    if chance(20) { endpoint = endpoint.prefetch() }
    if chance(30) {
      let total = generator.int(in: 1..<5_000)
      endpoint = endpoint.limits { $0.total = .milliseconds(total) }
    }
    let request = Task { [endpoint] in await client.result(of: endpoint) }
    let isGivenUp = chance(30)
    if isGivenUp {
      try? await rest(1..<3_000)
      request.cancel()
    }
    switch await request.value {
    case .success(number): return nil
    case .success(let value): return "\(value) is not the response to \(number)"
    case .failure(.cancelled): return isGivenUp ? nil : "\(number) was cancelled by nobody"
    case .failure(let error):
      if [401, 403, 429, 503].contains(error.status?.code ?? 0) { return nil }
      switch error {
      case .timeout, .transport, .notSent: return nil
      default: return "\(error)"
      }
    }
  }

  /// Returns a server with random failures.
  private func api() -> StubTransport {
    let stub = StubTransport(clock: clock)
    stub.stub(
      .get, "/*",
      with: .responding { request in
        try await self.rest(1..<150)
        if self.chance(1) { self.token.withLock { $0 = ($0.valid + 1, $0.expired + 1) } }
        let valid = self.token.withLock { $0.valid }
        guard request.head.headerFields[.authorization] == "Bearer \(valid)" else {
          return self.response(.unauthorized)
        }
        switch self.generator.int(in: 0..<100) {
        case 0..<8: return self.response(.serviceUnavailable)
        case 8..<10: return self.response(.tooManyRequests, [.retryAfter: "1"])
        case 10..<11: return self.response(.forbidden, [.retryAfter: "2"])
        case 11..<18: throw URLError(.networkConnectionLost)
        default: return self.response(.ok, of: request.head.path?.dropFirst() ?? "")
        }
      })
    return stub
  }

  private func response(
    _ status: HTTPResponse.Status, _ fields: HTTPFields = [:], of text: Substring = ""
  ) -> IncomingResponse {
    let head = HTTPResponse(status: status, headerFields: fields)
    let data = Data(text.utf8)
    guard chance(60) else { return IncomingResponse(head: head, body: ResponseBody(data)) }
    // A body that arrives slowly, and may break off.
    return IncomingResponse(
      head: head,
      body: ResponseBody {
        var rest = data[...]
        return {
          try await self.rest(1..<100)
          if self.chance(3) { throw URLError(.networkConnectionLost) }
          return rest.popFirst().map { Data([$0]) }
        }
      })
  }
}
