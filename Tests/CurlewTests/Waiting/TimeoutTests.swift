import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct TimeoutTests {
  private var (clock, stub) = stubOnTestClock()
  private let client: Client

  init() {
    client = .stubbed(by: stub)
  }

  private func holdBody(piece: Data? = nil) -> StubGate {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(heldBy: gate, piece: piece))
    return gate
  }

  /// Lets a call wait at a gate until just before its limit, and then beyond it.
  @discardableResult
  private func expectTimeout<Value: Sendable>(
    of call: Call<Value>, at gate: StubGate, after seconds: Int,
    _ limit: Client.TimeoutFailure.Limit
  ) async throws -> Client.Error {
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(seconds) - .milliseconds(1))
    #expect(gate.held.count == 1)
    clock.advance(by: .milliseconds(1))
    let error = try #require(await call.value.failure)
    #expect(error.timeoutFailure?.limit == limit)
    #expect(error.timeoutFailure?.duration == .seconds(seconds))
    // The transfer was cancelled, not abandoned.
    await gate.waitForCancellations(1)
    #expect(gate.held.isEmpty)
    return error
  }

  @Test func `a response that does not begin in30 seconds is a timeout`() async throws {
    let gate = stub.hold(.get, "/x")
    let call = client.call(Request<Int>.get("/x"))
    let error = try await expectTimeout(of: call, at: gate, after: 30, .firstByte)
    #expect(error.request == "GET https://api.example.com/x")
    #expect(error.isRetryable)
    #expect(
      error.localizedDescription
        == UserTexts.english.timeout)
    #expect("\(error)".contains("limits.firstByte"))
  }

  @Test func `a body that does not end in60 seconds is a timeout`() async throws {
    let gate = holdBody()
    let call = client.call(Request<Int>.get("/x").limits { $0.idle = nil })
    try await expectTimeout(of: call, at: gate, after: 60, .total)
  }

  @Test func `a response that pauses for30 seconds is a timeout`() async throws {
    let gate = holdBody(piece: Data("1".utf8))
    let endless = Request<Data>.get("/x").limits { $0.total = .seconds(3_600) }
    let call = client.call(endless)
    // Pieces that arrive in time, and then none.
    for count in 1...3 {
      await gate.waitForRequests(count)
      clock.advance(by: .seconds(29))
      gate.respond(with: .json("1"))
    }
    await gate.waitForRequests(4)
    let error = try await expectTimeout(of: call, at: gate, after: 30, .idle)
    #expect(
      "\(error)".hasSuffix("no more response data arrived for 30.0 seconds (limits.idle)"))
  }

  @Test func `an endpoint's own limits hold`() async throws {
    let gate = stub.hold(.get, "/x")
    let patient = Request<Int>.get("/x").limits {
      $0.firstByte = nil
      $0.total = .seconds(3_600)
    }
    try await expectTimeout(of: client.call(patient), at: gate, after: 3_600, .total)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2)])
  func `the longest limits are limits`(duration: Duration) async throws {
    stub.stub(.get, "/x", with: .json("5"))
    let client = Client(baseURL: "https://api.example.com") { $0.transport = stub }
    let request = Request<Int>.get("/x").limits {
      ($0.connect, $0.firstByte, $0.idle, $0.total) = (duration, duration, duration, duration)
    }
    #expect(try await client.send(request) == 5)
  }

  private static let times: [(String, any WritableKeyPath<Limits, Duration?> & Sendable)] = [
    ("connect", \.connect), ("firstByte", \.firstByte), ("idle", \.idle), ("total", \.total),
  ]

  @Test(
    arguments: times.map(\.0),
    [.zero, .seconds(-1), .seconds(-5), .seconds(Int64.min)] as [Duration])
  func `a time limit that is not positive is an invalid request`(
    name: String, duration: Duration
  ) async throws {
    stub.stub(.get, "/x", with: .json("5"))
    let limit = try #require(Self.times.first { $0.0 == name }).1
    let error = try await client.failure(
      of: Request<Int>.get("/x").limits { $0[keyPath: limit] = duration })
    let reason = try #require(error.invalidRequest).reason
    #expect(reason == "limits.\(name) is \(duration), and must be positive; nil is no limit")
    #expect(stub.requests.isEmpty)
  }

  /// A middleware's limits are not checked.
  ///
  /// On the system's clock, which detects suspensions: a deadline that is long past looks like a suspension.
  @Test(arguments: [0, -1, -5, -6, -3_600])
  func `a limit that a middleware makes negative passes at once`(seconds: Int) async throws {
    stub.stub(.get, "/**", with: .held(by: StubGate()))
    let hurry = FunctionMiddleware { request, next throws(Client.Error) in
      var request = request
      if request.head.path == "/x" { request.limits.firstByte = .seconds(seconds) }
      return try await next(request)
    }
    let client = Client.stubbed(by: stub) {
      ($0.middleware, $0.clock) = ([hurry], ContinuousClock())
    }
    let error = try await client.failure(of: Request<Int>.get("/x"))
    #expect(error.timeoutFailure?.limit == .firstByte)
    // The client's other limits go on.
    let other = Request<Int>.get("/y").limits { $0.firstByte = .milliseconds(1) }
    #expect(try await client.failure(of: other).timeoutFailure?.duration == .milliseconds(1))
  }

  @Test func `each of many requests has its own limit`() async throws {
    let gate = stub.hold(.get, "/**")
    let client = client
    let errors = await withTaskGroup(of: (Int, Duration?).self) { group in
      for seconds in 1...20 {
        group.addTask {
          let endpoint = Request<Int>.get("/\(seconds)").limits { $0.firstByte = .seconds(seconds) }
          let error = await client.result(of: endpoint).failure
          return (seconds, error?.timeoutFailure?.duration)
        }
      }
      await gate.waitForRequests(20)
      for second in 1...20 {
        clock.advance(by: .seconds(1))
        await gate.waitForCancellations(second)
        #expect(gate.held.count == 20 - second)
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(errors == Dictionary(uniqueKeysWithValues: (1...20).map { ($0, .seconds($0)) }))
  }

  @Test func `a request that ended in time leaves nothing behind`() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    for _ in 1...100 { _ = try await client.send(Request<Int>.get("/x")) }
    #expect(clock.sleepers <= 2)
    clock.advance(by: .seconds(100))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  @Test func `a request that a middleware makes anew keeps its limits`() async throws {
    let anew = FunctionMiddleware { request, next throws(Client.Error) in
      try await next(OutgoingRequest(head: request.head, endpoint: request.endpoint))
    }
    let client = Client.stubbed(by: stub) { $0.middleware = [anew, .headerFields([:])] }
    let gate = stub.hold(.get, "/x")
    async let result = client.result(of: Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(await result.failure?.timeoutFailure?.limit == .firstByte)
  }
}
