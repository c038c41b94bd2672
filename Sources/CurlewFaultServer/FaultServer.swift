public import Curlew
public import CurlewTesting
public import HTTPTypes
import Synchronization

/// An HTTP/1.1 server on loopback that does to each request what a test says, wrong things too, and
/// keeps a log of what came over its connections.
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
/// Connections are kept for further requests. The newest stub that matches a request responses it. One
/// that nothing responds gets status 501 and fails the test, which says where the server was started
/// and what was asked for.
public final class FaultServer: Sendable {
  /// Responds to a request by hand.
  public typealias Handler = @Sendable (Exchange) async throws -> Void

  enum Reaction: Sendable {
    case response(StubResponse)
    case handler(Handler)
  }

  struct State {
    var stubs = StubTable<Reaction>()
    var fallback: Handler?
    var requests: [WireRequest] = []
    var complaints: [String] = []
    var connections: [Connection] = []
    var tasks: [Task<Void, Never>] = []
    var isStopped = false
    var port = 0
    var baseURL: BaseURL = "http://127.0.0.1"
  }

  /// The clock on which pauses, delays and slow responses wait.
  public let clock: any Clock<Duration>

  let state = Mutex(State())
  let arrivals = Counter()
  let responses = Counter()
  let closings = Counter()

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// The port that it listens on.
  public var port: Int { state.withLock { $0.port } }

  /// The URL that it listens at: `http://127.0.0.1:` and its port.
  public var baseURL: BaseURL { state.withLock { $0.baseURL } }

  /// Scheme and authority.
  public var origin: String { baseURL.description }

  /// Responds to an endpoint: the first time with the first response, and so on; the last one repeats.
  ///
  /// Requests with just its method, path and query are answered.
  public func stub(
    _ endpoint: some Endpoint, with response: StubResponse, _ others: StubResponse...
  ) {
    add(StubPattern(endpoint), ([response] + others).map(Reaction.response))
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
    add(StubPattern(method, path), ([response] + others).map(Reaction.response))
  }

  /// Holds requests by method and path, as in ``stub(_:_:with:_:)``, until the gate responds to them.
  public func hold(_ method: HTTPRequest.Method, _ path: Path) -> StubGate {
    let gate = StubGate()
    stub(method, path, with: .held(by: gate))
    return gate
  }

  /// Responds to requests by method and path, as in ``stub(_:_:with:_:)``, by hand.
  public func handle(
    _ method: HTTPRequest.Method, _ path: Path, _ handler: @escaping Handler
  ) {
    add(StubPattern(method, path), [.handler(handler)])
  }

  /// Responds to all requests by hand that nothing else responds.
  public func handle(_ handler: @escaping Handler) {
    state.withLock { $0.fallback = handler }
  }

  private func add(_ pattern: StubPattern, _ reactions: [Reaction]) {
    state.withLock { $0.stubs.add(pattern, reactions) }
  }

  /// Logs a request and returns what responds to it.
  func reaction(to request: WireRequest) -> Reaction? {
    let requested = HTTPRequest.Method(request.method).map {
      RequestTarget(method: $0, target: request.target)
    }
    return state.withLock { state in
      state.requests.append(request)
      state.connections[request.connection].requests += 1
      if let requested, let reaction = state.stubs.response(for: requested) { return reaction }
      if let fallback = state.fallback { return .handler(fallback) }
      // Without the query: it may hold secrets.
      state.complaints.append(state.stubs.complaint(about: "\(request.method) \(request.path)"))
      return nil
    }
  }
}
