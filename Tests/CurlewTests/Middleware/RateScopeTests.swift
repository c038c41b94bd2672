import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Several limits of one server, and the maximum wait without an error.
@Suite(.timeLimit(.minutes(1)))
struct RateScopeTests {
  private let waits = Waits()
  private var (clock, stub, gate) = heldStub()

  private func budget(perResource: Bool = false) -> RateBudget {
    let now = { @Sendable in Date(timeIntervalSince1970: 1_800_000_000) }
    guard perResource else { return RateBudget(clock: clock, now: now) }
    return RateBudget(clock: clock, now: now) { request in
      request.head.path?.hasPrefix("/search/") == true ? "search" : "core"
    }
  }

  private func client(
    _ budget: RateBudget, _ way: Way = .inline, maximumDelay: Duration? = nil,
    total: Duration? = nil
  ) -> Client {
    .stubbed(
      by: stub, way, network: [.rateBudget(budget, maximumDelay: maximumDelay)],
      limits: Limits(firstByte: nil, total: total), waits: waits)
  }

  private func beRefused(_ client: Client, _ path: Path = "/first", for seconds: Int = 60) async {
    gate.respond(with: .status(.forbidden, [.retryAfter: "\(seconds)"]))
    let error = await client.result(of: Request<Int>.get(path)).failure
    #expect(error?.retryAfter == .seconds(seconds))
  }

  // MARK: Scopes

  @Test func `limits of one server are counted apart`() async throws {
    let budget = budget(perResource: true)
    let client = client(budget, maximumDelay: .zero)
    await beRefused(client, "/search/repositories")
    #expect(budget.pauses.map(\.scope) == ["search"])
    gate.respond(with: .json("1"))
    #expect(try await client.send(Request<Int>.get("/repos/x")) == 1)
    #expect(await client.result(of: Request<Int>.get("/search/code")).failure?.holdFailure != nil)

    await beRefused(client, "/repos/x", for: 20)
    #expect(budget.pauses.map(\.scope) == ["core", "search"])
    clock.advance(by: .seconds(20))
    gate.respond(with: .json("2"))
    #expect(try await client.send(Request<Int>.get("/repos/x")) == 2)
    #expect(budget.pauses.map(\.scope) == ["search"])
    #expect(stub.requests.count == 4)
  }

  @Test func `what is left is counted by scope`() async throws {
    let budget = budget(perResource: true)
    let client = client(budget, maximumDelay: .zero)
    for (path, left) in [("/search/code", "0"), ("/repos/x", "7")] {
      gate.respond(
        with: .text("1", ["X-RateLimit-Remaining": left, "X-RateLimit-Reset": "1800000030"]))
      _ = try await client.send(Request<Int>.get("\(raw: path)"))
    }
    #expect(budget.limit(of: "search")?.remaining == 0)
    #expect(budget.limit(of: "core")?.remaining == 7)
    let error = await client.result(of: Request<Int>.get("/search/users")).failure
    #expect(error?.retryAfter == .seconds(30))
  }

  // MARK: The longest wait

  @Test(arguments: Way.allCases)
  func `a wait beyond the longest is an error at once`(way: Way) async throws {
    let client = client(budget(), way, maximumDelay: .seconds(2))
    await beRefused(client, for: 60)
    clock.advance(by: .seconds(57.5))
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(error?.holdFailure?.reason == .rateLimit)
    #expect(error?.retryAfter == .seconds(2.5))
    #expect(stub.requests.count == 1)
    // Half a second later the wait fits the limit.
    clock.advance(by: .milliseconds(500))
    let caller = client.call(Request<Int>.get("/x"))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    await gate.waitForRequests(2)
    gate.respond(with: .json("3"))
    #expect(try await caller.value.get() == 3)
  }

  @Test func `several waits count together`() async throws {
    let budget = budget()
    let client = client(budget, maximumDelay: .seconds(3))
    await beRefused(client, for: 2)
    async let first = client.result(of: Request<Int>.get("/1"))
    async let second = client.result(of: Request<Int>.get("/2"))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    await gate.waitForRequests(2)
    await eventually { waits.count == 1 }
    // The probe is refused; its follower has waited for two of three seconds.
    gate.respond(with: .status(.tooManyRequests, [.retryAfter: "2"]))
    let errors = await [first.failure, second.failure]
    #expect(errors.count { $0?.holdFailure != nil } == 1)
    #expect(stub.requests.count == 2)
  }
}
