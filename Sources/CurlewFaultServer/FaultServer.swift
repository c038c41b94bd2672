public import Curlew
public import CurlewTesting
public import HTTPTypes
import Synchronization

/// An HTTP/1.1 server on loopback for tests, which sends stubbed and faulty responses and logs the requests that it
/// receives.
///
/// ```swift
/// try await withFaultServer { server in
///   server.stub(.get, "/users", with: .status(.serviceUnavailable), .json("[]").with(.chunked()))
///   let client = Client(baseURL: server.baseURL) { $0.transport = .asyncHTTPClient }
///   let users = try await client.send(Request<[User]>.get("/users"))
///   #expect(server.requests.map(\.line) == ["GET /users HTTP/1.1", "GET /users HTTP/1.1"])
/// }
/// ```
///
/// Connections are kept alive. The newest stub that matches a request responds to it. A request that matches no stub
/// gets status 501 and fails the test with an issue that names the request, at the line that started the server.
public final class FaultServer: Sendable {
  /// A closure that responds to a request manually.
  public typealias Handler = @Sendable (Exchange) async throws -> Void

  enum Reaction: Sendable {
    case response(StubResponse)
    case handler(Handler)
  }

  struct State {
    var stubs = StubTable<Reaction>()
    var fallback: Handler?
    var requests: [WireRequest] = []
    var messages: [String] = []
    var connections: [Connection] = []
    var tasks: [Task<Void, Never>] = []
    var isStopped = false
    var port = 0
    var baseURL: BaseURL = "http://127.0.0.1"
  }

  /// The clock for pauses, delays and slow responses.
  public let clock: any Clock<Duration>

  let state = Mutex(State())
  let arrivals = Counter()
  let responses = Counter()
  let closings = Counter()

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// The port that the server listens on.
  public var port: Int { state.withLock { $0.port } }

  /// The server's URL: `http://127.0.0.1:` and its port.
  public var baseURL: BaseURL { state.withLock { $0.baseURL } }

  /// The server's origin: scheme, host and port.
  public var origin: String { baseURL.description }

  /// Stubs an endpoint with responses: each is used once, in order, and the last one repeats.
  ///
  /// The stub matches requests with exactly the endpoint's method, path and query.
  public func stub(
    _ endpoint: some Endpoint, with response: StubResponse, _ others: StubResponse...
  ) {
    add(StubPattern(endpoint), ([response] + others).map(Reaction.response))
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
    add(StubPattern(method, path), ([response] + others).map(Reaction.response))
  }

  /// Returns a gate that holds requests until the test responds to them, matched by method and path
  /// as in ``stub(_:_:with:_:)``.
  public func hold(_ method: HTTPRequest.Method, _ path: Path) -> StubGate {
    let gate = StubGate()
    stub(method, path, with: .held(by: gate))
    return gate
  }

  /// Sets the handler of requests that match a method and a path as in ``stub(_:_:with:_:)``.
  public func handle(
    _ method: HTTPRequest.Method, _ path: Path, _ handler: @escaping Handler
  ) {
    add(StubPattern(method, path), [.handler(handler)])
  }

  /// Sets the handler for all requests that match no stub, gate or other handler.
  public func handle(_ handler: @escaping Handler) {
    state.withLock { $0.fallback = handler }
  }

  private func add(_ pattern: StubPattern, _ reactions: [Reaction]) {
    state.withLock { $0.stubs.add(pattern, reactions) }
  }

  /// Logs a request and returns the matching reaction, or `nil` if nothing matches.
  func reaction(to request: WireRequest) -> Reaction? {
    let requested = HTTPRequest.Method(request.method).map {
      RequestTarget(method: $0, target: request.target)
    }
    return state.withLock { state in
      state.requests.append(request)
      state.connections[request.connection].requests += 1
      if let requested, let reaction = state.stubs.response(for: requested) { return reaction }
      if let fallback = state.fallback { return .handler(fallback) }
      // Without the query, because it may contain secrets.
      state.messages.append(state.stubs.message(forUnmatched: "\(request.method) \(request.path)"))
      return nil
    }
  }
}
