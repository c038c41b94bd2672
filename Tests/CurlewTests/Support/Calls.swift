import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

extension Middleware where Self == StandardMiddleware {
  /// Retries without waits, unless a server requests a wait.
  static var retryingAtOnce: Self {
    var policy = RetryPolicy()
    policy.random = { 0 }
    return .retrying(policy)
  }
}

typealias Call<Value> = Task<Result<Value, Client.Error>, Never>

extension Client {
  /// Starts a call.
  func call<Value>(_ request: Request<Value>) -> Call<Value> {
    Task { await result(of: request) }
  }
}

/// Returns a stub and a client that uses it, for a suite's properties.
///
/// The properties are variables, because a struct can't bind several constants at once.
func stubAndClient(
  on clock: any Clock<Duration> = ContinuousClock(),
  configure: (inout Client.Configuration) -> Void = { _ in },
  sourceLocation: SourceLocation = #_sourceLocation
) -> (StubTransport, Client) {
  let stub = StubTransport(clock: clock, sourceLocation: sourceLocation)
  return (stub, .stubbed(by: stub, configure: configure))
}

/// Returns a virtual clock and a stub on it, for a suite's properties.
func stubOnTestClock(
  sourceLocation: SourceLocation = #_sourceLocation
) -> (TestClock, StubTransport) {
  let clock = TestClock()
  return (clock, StubTransport(clock: clock, sourceLocation: sourceLocation))
}

/// Returns a stub on a virtual clock, and a gate that holds the GET requests of a path.
func heldStub(
  _ path: Path = "/**", sourceLocation: SourceLocation = #_sourceLocation
) -> (TestClock, StubTransport, StubGate) {
  let (clock, stub) = stubOnTestClock(sourceLocation: sourceLocation)
  return (clock, stub, stub.hold(.get, path))
}

extension EventLog {
  func expectAllEnded(_ location: SourceLocation = #_sourceLocation) {
    #expect(problems == [] && open == 0, sourceLocation: location)
  }
}

extension TestClock {
  /// Advances the clock to the next request, and expects this wait to the millisecond.
  func pass(to stub: StubTransport, _ wait: Duration) async {
    await waitForSleepers(1)
    advance(by: wait - .milliseconds(1))
    #expect(sleepers == 1, "waited less than \(wait)")
    let before = stub.requests.count
    advance(by: .milliseconds(1))
    await stub.waitForRequests(before + 1)
  }

  /// Advances the clock repeatedly while tasks sleep, until a function returns.
  func advancing<Value>(
    by step: Duration, during operation: () async -> Value
  ) async -> Value {
    let advancing = Task {
      while !Task.isCancelled {
        await waitForSleepers()
        advance(by: step)
        await Task.yield()
      }
    }
    defer { advancing.cancel() }
    return await operation()
  }
}
