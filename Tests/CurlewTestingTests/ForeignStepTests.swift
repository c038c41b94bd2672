import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Middlewares and transports of somebody else have the same time limits and cancellation as Curlew's own.
@Suite(.timeLimit(.minutes(1)))
struct ForeignStepTests {
  enum Step: CaseIterable {
    case none, middleware, networkMiddleware, both, stoppable
  }

  enum Stage: CaseIterable {
    case head, body
  }

  enum End: CaseIterable {
    case total, limit, cancelled
  }

  private struct Foreign: Middleware, NetworkMiddleware {
    var isStoppable = false
    /// Waits before the request is sent, whatever limits there are.
    var gate: Gate?

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      await gate?.wait()
      return try await next(request)
    }
  }

  private let clock = TestClock()

  private func client(_ stub: StubTransport, _ step: Step, isForeign: Bool, _ end: End) -> Client {
    Client(baseURL: "https://api.example.com") {
      $0.transport = isForeign ? stub : StoppableStub(stub: stub)
      $0.clock = clock
      $0.cache = .memory()
      $0.limits = Limits()
      ($0.limits.connect, $0.limits.total) = (nil, end == .total ? .seconds(5) : nil)
      ($0.limits.firstByte, $0.limits.idle) =
        end == .limit ? (.seconds(3), .seconds(3)) : (nil, nil)
      if step == .middleware || step == .both {
        $0.middleware = [Foreign(), .retrying(attempts: 1)]
      }
      if step == .networkMiddleware || step == .both { $0.networkMiddleware = [Foreign()] }
      if step == .stoppable { $0.middleware = [Foreign(isStoppable: true)] }
    }
  }

  @Test(arguments: Step.allCases, [false, true])
  func `each stage ends in the same way`(step: Step, isForeign: Bool) async throws {
    for stage in Stage.allCases {
      for end in End.allCases {
        let stub = StubTransport(clock: clock)
        let gate = StubGate()
        stub.stub(
          .get, "/x",
          with: stage == .head ? .held(by: gate) : .body(first: Data("a".utf8), heldBy: gate))
        let client = client(stub, step, isForeign: isForeign, end)
        let task = Task { await client.result(of: Request<String>.get("/x")) }
        await gate.waitForRequests(1)
        switch end {
        case .total, .limit:
          await clock.waitForSleepers()
          clock.advance(by: .seconds(end == .total ? 5 : 3))
        case .cancelled: task.cancel()
        }
        let failure = await task.value.failure
        switch end {
        case .total: #expect(failure?.timeoutFailure?.limit == .total, "\(stage)")
        case .limit:
          #expect(
            failure?.timeoutFailure?.limit == (stage == .head ? .firstByte : .idle), "\(stage)")
        case .cancelled: #expect(failure?.isCancelled == true, "\(stage)")
        }
        await gate.waitForCancellations(1)
      }
    }
  }

  /// A storage that waits before it looks up a response.
  private struct ForeignStorage: CacheStorage {
    let gate: Gate

    func entries(for key: CacheKey) async -> [CacheEntry] {
      await gate.wait()
      return []
    }
    func store(
      _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
    ) async -> (any CacheWriter)? { nil }
    func update(_ response: StoredResponse, for key: CacheKey) async {}
    func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async {}
    func removeAll(at url: String) async {}
    func removeAll(of account: String?) async {}
    func removeAll() async {}
    func contents() async -> [(key: CacheKey, response: StoredResponse)] { [] }
  }

  @Test(arguments: [false, true])
  func `a wait of a cache storage ends with the call`(isCancelled: Bool) async throws {
    let stub = StubTransport(clock: clock)
    let gate = Gate()
    let client = Client(baseURL: "https://api.example.com") {
      ($0.transport, $0.clock) = (stub, clock)
      $0.limits.total = .seconds(5)
      $0.cache = ResponseCache(ForeignStorage(gate: gate))
    }
    let task = Task { await client.result(of: Request<Void>.get("/x")) }
    await gate.waitForArrival()
    if isCancelled { task.cancel() } else { clock.advance(by: .seconds(5)) }
    let failure = await task.value.failure
    #expect(failure?.isCancelled == isCancelled)
    #expect(failure?.timeoutFailure?.limit == (isCancelled ? nil : .total))
    #expect(stub.requests.isEmpty)
  }

  /// It ends when its task is cancelled.
  @Test(arguments: [false, true], [false, true])
  func `a wait of a middleware ends with the call`(isOnTheWire: Bool, isCancelled: Bool)
    async throws
  {
    let stub = StubTransport(clock: clock)
    let gate = Gate()
    let client = Client(baseURL: "https://api.example.com") {
      ($0.transport, $0.clock) = (stub, clock)
      $0.limits.total = .seconds(5)
      if isOnTheWire {
        $0.networkMiddleware = [Foreign(gate: gate)]
      } else {
        $0.middleware = [Foreign(gate: gate)]
      }
    }
    let task = Task { await client.result(of: Request<Void>.get("/x")) }
    await gate.waitForArrival()
    if isCancelled {
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
    } else {
      clock.advance(by: .seconds(5))
      #expect(await task.value.failure?.timeoutFailure?.limit == .total)
    }
    #expect(stub.requests.isEmpty)
  }
}
