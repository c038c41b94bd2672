import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// What requests with changed middlewares share with the other requests of their client: the rows of a table in Middlewares.
@Suite(.timeLimit(.minutes(1)))
struct SharedMemoryTests {
  private let stub = StubTransport()
  private let plain = Request<Int>.get("/x")
  private var changed: Request<Int> { plain.adding(Passing()) }
  private let host = "api.example.com"

  private func number(_ number: Int, _ fields: HTTPFields) -> StubResponse {
    .sample { _ in Sample(headerFields: fields, body: Data("\(number)".utf8)) }
  }

  private struct Passing: Middleware {
    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse { try await next(request) }
  }

  @Test func `the cache and its background validations`() async throws {
    let client = Client.stubbed(by: stub) { $0.cache = .memory() }
    let gate = StubGate()
    let stale: HTTPFields = [
      .cacheControl: "max-age=0, stale-while-revalidate=600", .eTag: "\"1\"",
    ]
    stub.stub(.get, "/x", with: number(1, stale), .held(by: gate))
    #expect(try await client.send(plain) == 1)
    for _ in 0..<5 { #expect(try await client.send(changed) == 1) }
    #expect(try await client.send(plain) == 1)
    await gate.waitForRequests(1)
    gate.respondToAll(with: number(2, [.cacheControl: "max-age=600"]))
    while try await client.send(changed) != 2 { await Task.yield() }
    #expect(stub.requests.count == 2)
  }

  @Test func `a validation that several requests wait for`() async throws {
    let waits = Waits()
    let client = Client.stubbed(by: stub) {
      $0.cache = .memory()
      $0.observers = [waits]
    }
    let gate = StubGate()
    let fields: HTTPFields = [.cacheControl: "no-cache", .eTag: "\"1\""]
    stub.stub(.get, "/x", with: number(1, fields), .held(by: gate))
    #expect(try await client.send(plain) == 1)
    let tasks = (0..<5).map { index in
      Task { try await client.send(index == 0 ? plain : changed) }
    }
    await gate.waitForRequests(1)
    await eventually { waits.count == 4 }
    gate.respondToAll(with: .status(.notModified, fields))
    for task in tasks { #expect(try await task.value == 1) }
    #expect(stub.requests.count == 2)
  }

  @Test func `the slots of a concurrency limit`() async throws {
    let limit = ConcurrencyLimit(1)
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.concurrency(limit)] }
    let gate = stub.hold(.get, "/x")
    async let one = client.send(plain)
    await gate.waitForRequests(1)
    async let other = client.send(changed)
    await eventually { limit.status(of: host).waiting == 1 }
    gate.respondToAll(with: .json("1"))
    #expect(try await [one, other] == [1, 1])
  }

  @Test func `the state of a circuit breaker, unless each request makes its own`() async throws {
    let client = Client.stubbed(by: stub)
    stub.stub(.get, "/x", with: .status(.internalServerError))
    let breaker = CircuitBreaker()
    func requests(_ request: @autoclosure () -> Request<Int>) async -> Int {
      let before = stub.requests.count
      for _ in 0..<20 { _ = await client.result(of: request()) }
      return stub.requests.count - before
    }
    #expect(await requests(plain.adding(network: .circuitBreaker())) == 20)
    #expect(await requests(plain.adding(network: .circuitBreaker(breaker))) < 20)
  }

  @Test func `the connection's status`() async throws {
    let client = Client.stubbed(by: stub)
    stub.stub(
      .get, "/x", with: .failure(Client.TransportFailure(.refused, reason: "gone")))
    _ = await client.result(of: changed)
    #expect(client.configuration.connection.isOffline)
  }
}
