public import Curlew
import Foundation
public import HTTPTypes
import Synchronization
public import Testing

/// A transport that returns stubbed responses to a client, which runs its whole pipeline.
///
/// ```swift
/// let stub = StubTransport()
/// stub.stub(GitHub.repository(name), with: .status(.serviceUnavailable), .json(#"{"id": 1}"#))
/// let client = Client.stubbed(by: stub)
/// ```
///
/// The newest stub that matches a request responds to it. If no stub matches, the endpoint's own sample is the
/// response. Without a sample, the request throws `Client.Error.invalidRequest(_:)`, and the test, of Swift Testing or of
/// XCTest, fails with an issue that names the request, at the line that created the transport.
public final class StubTransport: Transport {
  private struct State {
    var stubs = StubTable<StubResponse>()
    var requests: [OutgoingRequest] = []
    /// The path of each server's base URL, recorded at the first request to it.
    var prefixes: [String: String] = [:]
  }

  /// The clock for delays.
  public let clock: any Clock<Duration>

  private let servesSamples: Bool
  private let sourceLocation: SourceLocation
  private let arrivals = Counter()
  private let state = Mutex(State())
  /// The requests in an exploration, which determines when they arrive.
  private let explored = PendingResponses<String, Void>(stub: { _ in })

  /// Creates a transport without stubs.
  ///
  /// - Parameters:
  ///   - clock: The clock for delays.
  ///   - servesSamples: Whether an endpoint's own sample is the response if no stub matches.
  ///   - sourceLocation: The location at which requests that no stub matches are reported.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    servesSamples: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.clock = clock
    self.servesSamples = servesSamples
    self.sourceLocation = sourceLocation
  }

  /// Stubs an endpoint with responses: each is used once, in order, and the last one repeats.
  ///
  /// The stub matches requests with the endpoint's method, path and query, regardless of additions by middlewares.
  public func stub(
    _ endpoint: some Endpoint, with response: StubResponse, _ others: StubResponse...
  ) {
    add(StubPattern(endpoint), [response] + others)
  }

  /// Stubs requests by method and path, with any query.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - path: The path. `*` matches one segment, and a final `**` any number of them.
  ///   - response: The response to the first request.
  ///   - others: The responses to later requests; the last one repeats.
  public func stub(
    _ method: HTTPRequest.Method, _ path: Path, with response: StubResponse,
    _ others: StubResponse...
  ) {
    add(StubPattern(method, path), [response] + others)
  }

  /// Returns a gate that holds an endpoint's requests until the test responds to them.
  public func hold(_ endpoint: some Endpoint) -> StubGate {
    let gate = StubGate()
    stub(endpoint, with: .held(by: gate))
    return gate
  }

  /// Returns a gate that holds requests until the test responds to them, matched by method and path
  /// as in ``stub(_:_:with:_:)``.
  public func hold(_ method: HTTPRequest.Method, _ path: Path) -> StubGate {
    let gate = StubGate()
    stub(method, path, with: .held(by: gate))
    return gate
  }

  /// The requests so far, in order, including redirects.
  public var requests: [OutgoingRequest] { state.withLock { $0.requests } }

  /// Waits until this many requests have arrived since the transport was created.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Returns the stubbed response to a request.
  ///
  /// A streamed body is read to its end first, as a server does; ``requests`` contains it in memory.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    try Task.checkCancellation()
    var request = request
    if let body = request.body, body.data == nil || body.isObserved {
      request.body = OutgoingBody(try await body.collect())
    }
    let response = response(to: request)
    arrivals.increment()
    guard let response else {
      let message = state.withLock { $0.stubs.message(forUnmatched: request.description) }
      failTest(message, sourceLocation: sourceLocation)
      throw request.invalid("no stub matches it")
    }
    if ExplorationRun.current != nil {
      do {
        try await explored.next(for: "\(request.head.method) \(request.head.path ?? "/")")
      } catch is URLError {
        throw Client.TransportFailure(.lost, reason: "the exploration lost the connection")
      }
    }
    let reply = try await response.reply(to: request, on: clock)
    guard reply.faults.isEmpty else {
      let message = "The stub for \(request) has connection faults, which need a FaultServer."
      failTest(message, sourceLocation: sourceLocation)
      throw request.invalid("connection faults need a FaultServer")
    }
    var received = reply.received
    if let run = ExplorationRun.current { received.body = received.body.counted(in: run) }
    return received
  }

  private func add(_ pattern: StubPattern, _ responses: [StubResponse]) {
    state.withLock { $0.stubs.add(pattern, responses) }
  }

  /// Logs a request and returns the response to it, or `nil` if no stub matches.
  private func response(to request: OutgoingRequest) -> StubResponse? {
    state.withLock { state in
      state.requests.append(request)
      let requested = RequestTarget(request, prefixes: &state.prefixes)
      if let response = state.stubs.response(for: requested) { return response }
      return servesSamples ? request.sample.map(StubResponse.sample) : nil
    }
  }
}
