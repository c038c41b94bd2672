import Curlew
import CurlewFaultServer
import CurlewTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// One random story: the server's part and the callers'.
///
/// A request's fate depends on its number and its attempt, not on the order in which requests arrive.
final class SocketStorm: Sendable {
  private static let callers = 1_000

  private struct Tokens {
    var valid = 0
    /// The number of requests that the valid token may still be used for.
    var uses = 100
    /// The tokens that the client knows to be expired.
    var refused: Set<String> = []
    /// How often each token was replaced.
    var replaced: [String: Int] = [:]
    var isRefreshing = false
  }

  private struct Story {
    var isOver = false
    var requested: [Int: Int] = [:]
    /// The callers that cancel when the server reaches a stage of a request.
    var leaving: [Departure: [Task<Result<Int, Client.Error>, Never>]] = [:]
    /// The number of results of each caller.
    var responses = Array(repeating: 0, count: callers)
    var successes = 0
    var problems: [String] = []
  }

  private struct Departure: Hashable {
    let number: Int
    let isComplete: Bool
  }

  private let seed: UInt64
  private let traffic: Traffic
  private let tokens = Mutex(Tokens())
  private let story = Mutex(Story())

  init(_ seed: UInt64, _ traffic: Traffic) {
    self.seed = seed
    self.traffic = traffic
  }

  private func dice(_ number: Int, _ time: Int) -> SeededGenerator {
    SeededGenerator(seed: (seed &* 1_000_003 &+ UInt64(number)) &* 1_000_003 &+ UInt64(time))
  }

  // MARK: The server

  /// Responds to a request, sometimes with a fault.
  func respond(_ exchange: Exchange) async throws {
    if exchange.path == "/token" {
      let valid = tokens.withLock { $0.valid }
      return try await exchange.respond(with: .json("\(valid)"))
    }
    let number = Int(exchange.path.dropFirst("/numbers/".count)) ?? -1
    leave(Departure(number: number, isComplete: false))
    let shown = exchange.request["Authorization"] ?? ""
    guard use(shown) else {
      return try await exchange.respond(
        with: .status(.unauthorized, [.wwwAuthenticate: shown]))
    }
    let (time, isOver) = story.withLock { story in
      story.requested[number, default: 0] += 1
      return (story.requested[number] ?? 0, story.isOver)
    }
    var dice = dice(number, time)
    let right = StubResponse.json("\(number)")
    let trouble = isOver ? nil : Trouble(&dice)
    if trouble?.takesTime == true { traffic.rests(exchange.request) }
    try await exchange.respond(with: trouble.map { right.with($0.faults) } ?? right)
    traffic.moves(exchange.request)
    leave(Departure(number: number, isComplete: true))
  }

  /// Returns whether a token is valid, and counts its use.
  private func use(_ shown: String) -> Bool {
    tokens.withLock { tokens in
      guard shown == "Bearer \(tokens.valid)" else { return false }
      tokens.uses -= 1
      if tokens.uses == 0 {
        tokens.valid += 1
        var dice = dice(Self.callers, tokens.valid)
        tokens.uses = dice.pick(80...200)
      }
      return true
    }
  }

  private func leave(_ departure: Departure) {
    let leaving = story.withLock { $0.leaving.removeValue(forKey: departure) } ?? []
    for caller in leaving { caller.cancel() }
  }

  // MARK: The callers

  func run(_ server: FaultServer, _ transport: TrackedTransport, _ clock: KeptClock) async {
    let coalescing = StandardMiddleware.coalescing
    let limit = ConcurrencyLimit(48)
    let budget = RateBudget(clock: clock)
    let tokenClient = Client(baseURL: server.baseURL) {
      $0.transport = transport
      $0.clock = clock
    }
    let bearer = StandardMiddleware.bearer(BearerToken(access: Sensitive("0"))) { old in
      try await self.refresh(old, with: tokenClient)
    }
    var policy = RetryPolicy()
    policy.retryBudget = 1_000
    let (waits, log) = (Waits(), EventLog(keepsEvents: false))
    let client = Client(baseURL: server.baseURL) {
      $0.transport = transport
      $0.clock = clock
      $0.limits.firstByte = .seconds(10)
      $0.limits.idle = .seconds(10)
      // Longer than any story: only a request that hangs reaches this limit.
      $0.limits.total = .seconds(600)
      $0.middleware = [
        coalescing, .retrying(policy), bearer, Observing { self.note($0.head) },
      ]
      $0.networkMiddleware = [.rateBudget(budget), .concurrency(limit)]
      $0.observers = [waits, log]
    }
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<Self.callers {
        group.addTask { await self.call(client, caller, clock) }
      }
    }

    // The earlier faults must not affect another request.
    story.withLock { $0.isOver = true }
    let last = await client.result(of: Request<Int>.get("/numbers/\(Self.callers)"))
    #expect((try? last.get()) == Self.callers, "\(last)")

    let story = story.withLock { $0 }
    #expect(story.responses == Array(repeating: 1, count: Self.callers))
    #expect(story.problems == [])
    #expect(story.successes > Self.callers / 3)
    #expect(waits.count == 0)
    await eventually { log.open == 0 }
    #expect(log.problems == [])
    #expect(limit.status(of: "127.0.0.1:\(server.port)") == limit.status(of: "nobody.example"))
    // Each expired token was replaced exactly once, however many requests were rejected with it.
    let tokens = tokens.withLock { $0 }
    #expect(tokens.replaced == Dictionary(tokens.refused.map { ($0, 1) }) { $1 })
    #expect(tokens.refused.isSubset(of: (0..<tokens.valid).map { "Bearer \($0)" }))
    #expect(!tokens.refused.isEmpty)
  }

  /// Returns a new token; may fail, as the server may just have closed the connection.
  private func refresh(
    _ old: BearerToken?, with client: Client
  ) async throws(Client.Error) -> BearerToken {
    let isSecond = tokens.withLock { tokens in
      defer { tokens.isRefreshing = true }
      return tokens.isRefreshing
    }
    #expect(!isSecond, "two refreshes at the same time")
    defer { tokens.withLock { $0.isRefreshing = false } }
    let token = BearerToken(
      access: Sensitive("\(try await client.send(Request<Int>.post("/token")))"))
    tokens.withLock { $0.replaced["Bearer \(old?.access.value ?? "")", default: 0] += 1 }
    return token
  }

  private func note(_ head: HTTPResponse) {
    guard head.status == .unauthorized else { return }
    tokens.withLock { _ = $0.refused.insert(head.headerFields[.wwwAuthenticate] ?? "none") }
  }

  /// Sends one request, perhaps cancels it, and records its result.
  private func call(_ client: Client, _ caller: Int, _ clock: KeptClock) async {
    // Two callers send the same request.
    let number = caller / 2
    var dice = dice(caller, 0)
    let isPatient = dice.pick(0...3) > 0
    // Half of the callers start later: if the token expired too often for the number of requests, the test would cover
    // nothing else.
    if caller >= Self.callers / 2 {
      try? await clock.sleep(for: .milliseconds(dice.pick(0...10_000)))
    }
    let request = Task { await client.result(of: Request<Int>.get("/numbers/\(number)")) }
    if !isPatient { await giveUp(request, for: number, clock, &dice) }
    // At the test's time limit, the pending requests are cancelled and reported.
    let result = await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }
    story.withLock { story in
      story.responses[caller] += 1
      if case .success = result { story.successes += 1 }
      if let problem = Self.problem(with: result, number, isPatient) {
        story.problems.append("\(number): \(problem)")
      }
    }
  }

  private func giveUp(
    _ request: Task<Result<Int, Client.Error>, Never>, for number: Int, _ clock: KeptClock,
    _ dice: inout SeededGenerator
  ) async {
    switch dice.pick(0...3) {
    case 0:
      for _ in 0..<dice.pick(0...200) { await Task.yield() }
    case 1:
      try? await clock.sleep(for: .milliseconds(dice.pick(0...5_000)))
    case let moment:
      let departure = Departure(number: number, isComplete: moment == 2)
      return story.withLock { $0.leaving[departure, default: []].append(request) }
    }
    request.cancel()
  }

  /// Returns the problem of a result.
  private static func problem(
    with result: Result<Int, Client.Error>, _ number: Int, _ isPatient: Bool
  ) -> String? {
    switch result {
    case .success(let value): return value == number ? nil : "was answered with \(value)"
    case .failure(.cancelled): return isPatient ? "was cancelled by nobody" : nil
    case .failure(.timeout(let failure)) where failure.limit == .total: return "was forgotten"
    // Caused by the server, after all retries.
    case .failure(.transport), .failure(.timeout), .failure(.notSent): return nil
    case .failure(.status(let failure)):
      let code = failure.response.status.code
      return [401, 429, 503].contains(code) ? nil : "status \(code)"
    case .failure(let error): return "\(error)"
    }
  }
}

/// The faults of a response.
private struct Trouble {
  let faults: [Fault]
  /// Whether the fault lasts until the clock advances.
  var takesTime = false

  private init(_ faults: Fault..., takesTime: Bool = false) {
    self.faults = faults
    self.takesTime = takesTime
  }

  /// Creates a random fault; mostly `nil`.
  init?(_ dice: inout SeededGenerator) {
    switch dice.pick(0...40) {
    case 0: self.init(.cut(after: .nothing))
    case 1: self.init(.cut(after: .head(12)))
    case 2: self.init(.cut(after: 1))
    case 3: self.init(.reset(after: .nothing))
    case 4: self.init(.reset(after: 1))
    case 5: self.init(.contentLength(tooLongBy: 3), .cut(after: .everything))
    case 6: self.init(.extraBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n-1"))
    case 7: self.init(.chunked(every: 1), .trailers([.eTag: "x"]))
    case 8: self.init(.headLine("Transfer-Encoding: chunked\r\n\r\nzz"), .closeDelimited)
    case 9: self.init(.interim(103), .slow(bytesPerSecond: 10), takesTime: true)
    case 10: self.init(.pause(.seconds(2)), takesTime: true)
    case 11: self.init(.statusLine("HTTP/1.1 503 Busy"))
    case 12: self.init(.statusLine("HTTP/1.1 429 Slow"), .headLine("Retry-After: 1"))
    case 13: self.init(.noResponse, takesTime: true)
    case 14: self.init(.statusLine("HTTP/1.0 200 OK"), .closeDelimited)
    // Silence after the head, never after a whole response, since the connection would be reused.
    case 15: self.init(.silence(after: 0), takesTime: true)
    case 16:
      self.init(
        .headLine("Transfer-Encoding: chunked\r\n\r\n10000000000000001"), .closeDelimited)
    default: return nil
    }
  }
}
