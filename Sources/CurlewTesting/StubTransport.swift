public import Curlew
public import HTTPTypes
import Synchronization
public import Testing

/// Responds to requests with what a test says, below a client that runs its whole pipeline.
///
/// ```swift
/// let stub = StubTransport()
/// stub.stub(GitHub.repository(name), with: .status(.serviceUnavailable), .json(#"{"id": 1}"#))
/// let client = Client.stubbed(by: stub)
/// ```
///
/// The newest stub that matches a request responses it. An endpoint that carries a sample is served
/// from it when nothing else matches. A request that nothing responds fails the test, which says
/// where the transport was made and what was asked for, and throws
/// ``Client/Error/invalidRequest(_:)``.
public final class StubTransport: Transport {
  private struct State {
    var stubs = StubTable<StubResponse>()
    var requests: [OutgoingRequest] = []
    /// The path of each server's base URL, seen at the first request to it.
    var prefixes: [String: String] = [:]
  }

  /// The clock on which delayed responses wait.
  public let clock: any Clock<Duration>

  private let servesSamples: Bool
  private let sourceLocation: SourceLocation
  private let arrivals = Counter()
  private let state = Mutex(State())

  /// Creates a transport without stubs.
  ///
  /// - Parameters:
  ///   - clock: The clock on which delayed responses wait.
  ///   - servesSamples: Whether an endpoint's own sample responds to it when no stub does.
  ///   - sourceLocation: Where a request that nothing responds is reported.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    servesSamples: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.clock = clock
    self.servesSamples = servesSamples
    self.sourceLocation = sourceLocation
  }

  /// Responds to an endpoint: the first time with the first response, and so on; the last one repeats.
  ///
  /// Requests with its method, path and query are answered, whatever middlewares add to them.
  public func stub(
    _ endpoint: some Endpoint, with response: StubResponse, _ others: StubResponse...
  ) {
    add(StubPattern(endpoint), [response] + others)
  }

  /// Responds to requests by method and path, whatever their query.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - path: The path, where `*` stands for any one segment and a final `**` for any others.
  ///   - response: The response to the first request.
  ///   - others: The responses to those after it; the last one repeats.
  public func stub(
    _ method: HTTPRequest.Method, _ path: Path, with response: StubResponse,
    _ others: StubResponse...
  ) {
    add(StubPattern(method, path), [response] + others)
  }

  /// Holds requests of an endpoint until the gate responds to them.
  public func hold(_ endpoint: some Endpoint) -> StubGate {
    let gate = StubGate()
    stub(endpoint, with: .held(by: gate))
    return gate
  }

  /// Holds requests by method and path, as in ``stub(_:_:with:_:)``, until the gate responds to them.
  public func hold(_ method: HTTPRequest.Method, _ path: Path) -> StubGate {
    let gate = StubGate()
    stub(method, path, with: .held(by: gate))
    return gate
  }

  /// All requests that came, in their order, redirects included.
  public var requests: [OutgoingRequest] { state.withLock { $0.requests } }

  /// Waits until this many requests have come since the transport was made.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Responds to a request as it is stubbed.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    try Task.checkCancellation()
    let response = response(to: request)
    arrivals.increment()
    guard let response else {
      let complaint = state.withLock { $0.stubs.complaint(about: request.description) }
      Issue.record("\(complaint)", sourceLocation: sourceLocation)
      throw request.invalid("nothing stubs it")
    }
    return try await response.response(to: request, on: clock)
  }

  private func add(_ pattern: StubPattern, _ responses: [StubResponse]) {
    state.withLock { $0.stubs.add(pattern, responses) }
  }

  /// Logs a request and returns what responds to it.
  private func response(to request: OutgoingRequest) -> StubResponse? {
    state.withLock { state in
      state.requests.append(request)
      let requested = RequestTarget(request, prefixes: &state.prefixes)
      if let response = state.stubs.response(for: requested) { return response }
      guard servesSamples, requested.isEndpointsOwn, let endpoint = request.endpoint as? any Sampled
      else { return nil }
      return endpoint.sample.map(StubResponse.sample)
    }
  }
}
