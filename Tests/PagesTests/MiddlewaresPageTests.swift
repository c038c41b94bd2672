import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The code of `Middlewares.md`.
@Suite(.timeLimit(.minutes(1)))
struct MiddlewaresPageTests {
  nonisolated struct Hedging: Middleware {
    let delay: Duration

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      let first = await withTaskGroup(of: Result<IncomingResponse, Client.Error>.self) { group in
        for attempt in 0..<2 {
          group.addTask {
            do throws(Client.Error) {
              try await request.wait(for: delay * attempt)
              return .success(try await next(request))
            } catch {
              return .failure(error)
            }
          }
        }
        defer { group.cancelAll() }
        return await group.next() ?? .failure(.cancelled)
      }
      return try first.get()
    }
  }

  private let clock = TestClock()
  private let transport: StubTransport

  init() { transport = StubTransport(clock: clock) }

  @Test func `both lists run`() async throws {
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.middleware = [.coalescing, .retrying(), .bearer("token")]
      // redirects are followed here
      $0.networkMiddleware = [.rateBudget(), .concurrency(8), .circuitBreaker()]
    }
    transport.stub(.get, "/x", with: .json("1"))
    #expect(try await github.send(Request<Int>.get("/x")) == 1)
    #expect(transport.requests.first?.head.headerFields[.authorization] == "Bearer token")
  }

  @Test func `the second request of a hedge wins`() async throws {
    let client = Client.stubbed(by: transport) { $0.middleware = [Hedging(delay: .seconds(2))] }
    let gate = transport.hold(.get, "/x")
    async let number = client.send(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    await gate.waitForRequests(2)
    gate.respondToNewest(with: .json("7"))
    #expect(try await number == 7)
    await gate.waitForCancellations(1)
  }

  nonisolated struct Ping: Endpoint {
    var request: Request<Void> { .get("/ping").without(.retrying, .type(Hedging.self)) }
  }

  @Test func `a request has middlewares of its own`() async throws {
    let status = Request<Int>.get("/status").without(.retrying, .circuitBreaker)
    let report = Request<Int>.get("/report").adding(.retrying(attempts: 5))
    let hedged = Request<Int>.get("/fast").adding(Hedging(delay: .seconds(2)))
    let client = Client.stubbed(by: transport) {
      $0.middleware = [.retrying()]
      $0.networkMiddleware = [.circuitBreaker()]
    }
    transport.stub(.get, "/**", with: .status(.serviceUnavailable))
    guard case .failure(.status) = await client.result(of: status),
      case .failure(.status) = await client.result(of: Ping())
    else {
      Issue.record("There is another error.")
      return
    }
    #expect(transport.requests.count == 2)
    transport.stub(.get, "/report", with: .json("7"))
    #expect(try await client.send(report) == 7)
    let gate = transport.hold(.get, "/fast")
    async let number = client.send(hedged)
    await gate.waitForRequests(1)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    await gate.waitForRequests(2)
    gate.respondToNewest(with: .json("8"))
    #expect(try await number == 8)
    await gate.waitForCancellations(1)
  }

  /// Records the order in which middlewares see a request and its response.
  private nonisolated struct Tracing: Middleware, NetworkMiddleware {
    let name: String
    let log: Log

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      log.lines.withLock { $0.append("\(name) \(request.head.path ?? "")") }
      let response = try await next(request)
      log.lines.withLock { $0.append("\(name) \(response.head.status.code)") }
      return response
    }
  }

  private nonisolated final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  @Test func `the listed order is the order`() async throws {
    let log = Log()
    transport.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    transport.stub(.get, "/y", with: .json("1"))
    let client = Client.stubbed(by: transport) {
      $0.middleware = ["a", "b"].map { Tracing(name: $0, log: log) }
      $0.networkMiddleware = ["c", "d"].map { Tracing(name: $0, log: log) }
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(
      log.lines.withLock { $0 } == [
        "a /x", "b /x", "c /x", "d /x", "d 302", "c 302", "c /y", "d /y", "d 200", "c 200", "b 200",
        "a 200",
      ])
  }
}
