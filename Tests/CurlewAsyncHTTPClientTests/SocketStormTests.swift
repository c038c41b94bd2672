import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A thousand requests at once over real connections to a server that misbehaves, with callers who
/// give up and tokens that expire.
///
/// `CURLEW_SEED` tries other seeds.
@Suite("A storm over real connections", .serialized, .timeLimit(.minutes(5)))
struct SocketStormTests {
  private static let seeds: [UInt64] = {
    let first = ProcessInfo.processInfo.environment["CURLEW_SEED"].flatMap { UInt64($0) } ?? 1
    return (0..<20).map { first &+ $0 }
  }()

  @Test(arguments: seeds)
  func everyCallerIsAnsweredOnceAndNothingIsLeft(seed: UInt64) async throws {
    let clock = TestClock()
    let storm = SocketStorm(seed)
    let port = try await withFaultServer(clock: clock) { server in
      let time = Task { await Self.passTime(on: clock, of: server) }
      defer { time.cancel() }
      server.handle { exchange in try await storm.answer(exchange) }
      let http = HTTPClient(configuration: .curlew)
      try await storm.run(server, AsyncHTTPClientTransport(http), clock)
      try await http.shutdown()
      await server.waitForClosedConnections(server.connections.count)
      #expect(server.openConnections == 0)
      return server.port
    }
    #if os(Linux)
      let left = try Self.sockets(at: port)
      #expect(left.isEmpty, "sockets that were left open")
    #else
      _ = port
    #endif
    await eventually { clock.sleepers == 0 }
  }

  /// Lets time go on while nothing arrives at the server: real connections need real time, which no
  /// limit is to see.
  private static func passTime(on clock: TestClock, of server: FaultServer) async {
    var seen = 0
    while !Task.isCancelled {
      for _ in 0..<300 { await Task.yield() }
      let now = server.requests.count
      if now == seen { clock.advance(by: .milliseconds(100)) }
      seen = now
    }
  }

  /// The sockets of this machine, at either end, that some process still holds.
  private static func sockets(at port: Int) throws -> [Substring] {
    let hexadecimal = String(port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
    return table.split(separator: "\n").dropFirst().filter { line in
      let columns = line.split(separator: " ")
      // What waits for its time to pass belongs to nobody: its inode is 0.
      return columns.count > 9 && columns[9] != "0"
        && (columns[1].hasSuffix(suffix) || columns[2].hasSuffix(suffix))
    }
  }
}

/// One random story, the server's part and the callers'.
private final class SocketStorm: Sendable {
  private struct Tokens {
    var valid = 0
    var expired = 0
    var refreshes = 0
  }

  private let generator: Mutex<SeededGenerator>
  private let tokens = Mutex(Tokens())

  init(_ seed: UInt64) {
    generator = Mutex(SeededGenerator(seed: seed))
  }

  private func random(below limit: Int) -> Int {
    generator.withLock { Int.random(in: 0..<limit, using: &$0) }
  }

  /// What a server does: mostly what it should.
  func answer(_ exchange: Exchange) async throws {
    if exchange.path == "/token" {
      let valid = tokens.withLock { tokens in
        tokens.refreshes += 1
        return tokens.valid
      }
      return try await exchange.answer(with: .json("\(valid)"))
    }
    let isValid = tokens.withLock { exchange.request["Authorization"] == "Bearer \($0.valid)" }
    guard isValid else { return try await exchange.answer(with: .status(.unauthorized)) }
    if random(below: 100) == 0 {
      tokens.withLock { tokens in
        tokens.valid += 1
        tokens.expired += 1
      }
    }
    let number = exchange.path.dropFirst("/numbers/".count)
    let right = StubAnswer.json("\(number)")
    try await exchange.answer(with: fault().map { right.with($0) } ?? right)
  }

  private func fault() -> [Fault]? {
    switch random(below: 40) {
    case 0: [.cut(after: .nothing)]
    case 1: [.cut(after: .head(12))]
    case 2: [.cut(after: 1)]
    case 3: [.reset(after: .nothing)]
    case 4: [.reset(after: 1)]
    case 5: [.contentLength(tooLongBy: 3), .cut(after: .everything)]
    case 6: [.extraBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n-1")]
    case 7: [.chunked(every: 1), .trailers([.eTag: "x"])]
    case 8: [.chunked(), .brokenChunk(.size("zz"))]
    case 9: [.interim(103), .slow(bytesPerSecond: 10)]
    case 10: [.pause(.seconds(2))]
    case 11: [.statusLine("HTTP/1.1 503 Busy")]
    case 12: [.statusLine("HTTP/1.1 429 Slow"), .headLine("Retry-After: 1")]
    case 13: [.noAnswer]
    case 14: [.http10]
    default: nil
    }
  }

  func run(_ server: FaultServer, _ transport: AsyncHTTPClientTransport, _ clock: TestClock)
    async throws
  {
    let coalescing = CoalescingMiddleware()
    let limit = ConcurrencyLimit(48)
    let budget = RateBudget(clock: clock)
    let bearer = BearerRefreshMiddleware(
      BearerToken(access: Sensitive("0")),
      with: TokenClient(baseURL: server.baseURL, transport: transport, clock: clock)
    ) { client, _ throws(Client.Error) in
      BearerToken(access: Sensitive("\(try await client.send(Request<Int>.post("/token")))"))
    }
    var policy = RetryPolicy()
    policy.retryReserve = 1_000
    let client = Client(baseURL: server.baseURL) {
      $0.transport = transport
      $0.clock = clock
      $0.middleware = [
        coalescing, .retrying(policy), bearer, .rateBudget(budget), .concurrency(limit),
      ]
    }
    let callers = (0..<1_000).map { number in Task { await self.call(client, number / 2) } }
    var (answered, problems) = (0, [String]())
    for caller in callers {
      answered += 1
      if let problem = await caller.value { problems.append(problem) }
    }
    #expect(answered == 1_000)
    #expect(problems == [])

    #expect(coalescing.status == (0, 0))
    #expect(bearer.waiting == 0)
    #expect(budget.requests == 0)
    let host = "127.0.0.1:\(server.port)"
    await eventually { limit.status(of: host) == limit.status(of: "nobody.example") }
    // One refresh for each token that expired, however many were refused with it.
    let tokens = tokens.withLock { $0 }
    #expect(tokens.expired > 0)
    #expect(tokens.refreshes <= tokens.expired)
    #expect(tokens.refreshes > 0)
  }

  /// Sends one request and perhaps gives it up; returns what is wrong with its answer.
  private func call(_ client: Client, _ number: Int) async -> String? {
    let patience = random(below: 4) == 0 ? random(below: 200) : nil
    let request = Task { await client.result(of: Request<Int>.get("/numbers/\(number)")) }
    if let patience {
      for _ in 0..<patience { await Task.yield() }
      request.cancel()
    }
    switch await request.value {
    case .success(let value): return value == number ? nil : "\(number) was answered with \(value)"
    case .failure(.cancelled): return patience == nil ? "\(number) was cancelled by nobody" : nil
    // The server's doing, after all retries.
    case .failure(.transport), .failure(.timeout), .failure(.heldBack): return nil
    case .failure(.status(let failure)):
      let code = failure.response.status.code
      return [401, 429, 503].contains(code) ? nil : "\(number): status \(code)"
    case .failure(let error): return "\(number): \(error)"
    }
  }
}

/// Returns when something is so that comes about by itself; the suite's time limit ends the wait.
private func eventually(_ isSo: () -> Bool) async {
  while !isSo(), !Task.isCancelled { await Task.yield() }
}
