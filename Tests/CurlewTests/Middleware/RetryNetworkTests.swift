import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

/// Retries wait for the system's network, where the platform reports it.
@Suite(.timeLimit(.minutes(1)))
struct RetryNetworkTests {
  /// A system whose network becomes available when the test says so.
  private struct Monitor: NetworkMonitor {
    let arrivals = Counter()
    let network = AsyncStream<Void>.makeStream()

    func waitForNetwork() async throws {
      arrivals.increment()
      for await _ in network.stream { return }
      try Task.checkCancellation()
    }
  }

  private let monitor = Monitor()
  private let stub = StubTransport()

  init() {
    stub.stub(
      .get, "/x", with: .failure(Client.TransportFailure(.unreachable, reason: "no network")),
      .json("7"))
  }

  private func client(_ limits: Limits = Limits(), clock: TestClock? = nil) -> Client {
    .stubbed(by: stub) {
      $0.middleware = [.retryingAtOnce]
      $0.networkMonitor = monitor
      $0.limits = limits
      if let clock { $0.clock = clock }
    }
  }

  @Test func `a retry waits for the network`() async throws {
    let task = Task { try await client().send(Request<Int>.get("/x")) }
    await monitor.arrivals.wait(for: 1)
    #expect(stub.requests.count == 1)
    monitor.network.continuation.yield()
    #expect(try await task.value == 7)
    #expect(stub.requests.count == 2)
  }

  @Test func `it waits no longer than the call has time`() async throws {
    let clock = TestClock()
    var limits = Limits()
    (limits.total, limits.connect, limits.firstByte) = (.seconds(60), nil, nil)
    let client = client(limits, clock: clock)
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    // The policy's wait is zero on this clock.
    await eventually {
      clock.advance(by: .zero)
      return monitor.arrivals.count == 1
    }
    clock.advance(by: .seconds(61))
    #expect(await task.value.failure?.timeoutFailure?.limit == .total)
    #expect(stub.requests.count == 1)
  }
}
