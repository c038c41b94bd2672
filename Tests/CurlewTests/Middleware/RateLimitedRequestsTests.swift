import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Rate limits that the server announces before it refuses.
extension RateBudgetTests {
  func response(_ fields: HTTPFields, _ status: HTTPResponse.Status = .ok) -> StubResponse {
    .text("1", status: status, fields)
  }

  private func gitHub(_ remaining: Int, of limit: Int = 60, resetsIn seconds: Int = 900)
    -> StubResponse
  {
    response([
      "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(remaining)",
      "X-RateLimit-Reset": "\(1_800_000_000 + seconds)",
    ])
  }

  /// Lets the server announce a limit.
  private func learn(_ response: StubResponse) async throws {
    gate.respond(with: response)
    _ = try await client().send(Request<Int>.get("/first"))
  }

  @Test(arguments: Way.allCases)
  func `no more are sent than are left`(way: Way) async throws {
    try await learn(gitHub(3))
    #expect(budget.limit(of: host) == RateLimit(limit: 60, remaining: 3, reset: .seconds(900)))
    let client = client(way)
    let callers = call(client, 10)
    // Three requests are in flight; the others wait for their responses.
    await eventually { requests == 10 }
    await gate.waitForRequests(4)
    #expect(gate.held.count == 3 && clock.sleepers == 0)
    for remaining in [2, 1, 0] { gate.respond(with: gitHub(remaining)) }
    await clock.waitForSleepers(7)
    #expect(budget.pauses.first?.remaining == .seconds(900))
    #expect(stub.requests.count == 4)
    clock.advance(by: .seconds(899))
    #expect(clock.sleepers == 7 && stub.requests.count == 4)
    clock.advance(by: .seconds(1))
    await gate.waitForRequests(5)
    await eventually { requests == 7 }
    #expect(stub.requests.count == 5)
    gate.respondToAll(with: gitHub(59, resetsIn: 4_500))
    for caller in callers { #expect(try await caller.value.get() == 1) }
  }

  @Test func `responses that come in another order do not raise the limit`() async throws {
    try await learn(gitHub(5))
    let client = client()
    let first = call(client, 5)
    await gate.waitForRequests(6)
    // The response to the server's last request arrives first.
    for remaining in [0, 1, 2, 3, 4] { gate.respond(with: gitHub(remaining)) }
    for caller in first { _ = await caller.value }
    #expect(budget.limit(of: host)?.remaining == 0)
    let late = call(client, 1)
    await clock.waitForSleepers(1)
    #expect(stub.requests.count == 6)
    late[0].cancel()
    _ = await late[0].value
  }

  @Test func `a new window raises the limit`() async throws {
    try await learn(gitHub(1))
    try await learn(gitHub(59, resetsIn: 4_500))
    #expect(budget.limit(of: host)?.remaining == 59)
  }

  @Test(
    arguments: [
      ["RateLimit": #""default";r=0;t=30"#], ["RateLimit": "limit=10, remaining=0, reset=30"],
      ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"],
      ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"],
      ["RateLimit": #""day";r=100;t=9999, "burst";r=0;t=30"#],
    ] as [HTTPFields])
  func `every way to tell a limit is understood`(fields: HTTPFields) async throws {
    try await learn(response(fields))
    let client = client()
    let callers = call(client, 2)
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(29_999))
    #expect(clock.sleepers == 2 && stub.requests.count == 1)
    clock.advance(by: .milliseconds(1))
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(try await caller.value.get() == 1) }
  }

  @Test func `prefetches are kept off the last tenth`() async throws {
    try await learn(gitHub(8, of: 60))
    let client = client()
    let later = call(client, 5, prefetch: true)
    // Of eight requests, six are reserved for requests that a user waits for.
    await eventually { requests == 5 }
    await gate.waitForRequests(3)
    #expect(gate.held.count == 2)
    let now = call(client, 6)
    await gate.waitForRequests(9)
    #expect(gate.held.map(\.declaration.priority).count { $0 == .interactive } == 6)
    for remaining in (0..<8).reversed() { gate.respond(with: gitHub(remaining)) }
    for caller in now { #expect(try await caller.value.get() == 1) }
    await clock.waitForSleepers(3)
    clock.advance(by: .seconds(900))
    gate.respondToAll(with: gitHub(50, resetsIn: 4_500))
    for caller in later { #expect(try await caller.value.get() == 1) }
  }

  @Test func `prefetches that wait hold nobody else`() async throws {
    try await learn(gitHub(6, of: 60))
    let client = client()
    let later = call(client, 3, prefetch: true)
    await clock.waitForSleepers(3)
    #expect(budget.pauses.isEmpty)
    gate.respond(with: gitHub(5))
    #expect(try await client.send(Request<Int>.get("/now")) == 1)
    for caller in later { caller.cancel() }
    for caller in later { _ = await caller.value }
  }

  @Test func `a prefetch that may not wait is held back`() async throws {
    try await learn(gitHub(6, of: 60))
    let error = await client(total: .seconds(60)).result(of: Request<Int>.get("/x").prefetch())
    #expect(error.failure?.holdFailure?.retryAfter == .seconds(900))
  }

  @Test func `a limit whose time has passed is forgotten`() async throws {
    try await learn(gitHub(0, resetsIn: 30))
    clock.advance(by: .seconds(30))
    let client = client()
    let callers = call(client, 20)
    await gate.waitForRequests(21)
    #expect(gate.held.count == 20)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
    #expect(budget.limit(of: host) == nil)
  }

  @Test func `a limit without an end lets through one at a time`() async throws {
    try await learn(response(["X-RateLimit-Remaining": "0"]))
    let client = client()
    let callers = call(client, 5)
    for count in 1...5 {
      await gate.waitForRequests(1 + count)
      await eventually { requests == 6 - count }
      #expect(gate.held.count == 1)
      gate.respond(with: response(["X-RateLimit-Remaining": "0"]))
    }
    for caller in callers { #expect(await caller.value.failure == nil) }
  }

  @Test func `a long window is asked about every hour`() async throws {
    try await learn(gitHub(0, resetsIn: 86_400))
    let client = client()
    let callers = call(client, 3)
    await clock.waitForSleepers(3)
    #expect(budget.pauses.first?.remaining == .seconds(3_600))
    clock.advance(by: .seconds(3_600))
    await gate.waitForRequests(2)
    await eventually { requests == 3 }
    #expect(gate.held.count == 1)
    gate.respondToAll(with: gitHub(1_000, resetsIn: 86_400 * 2))
    for caller in callers { #expect(await caller.value.failure == nil) }
  }
}
