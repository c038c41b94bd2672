/// A client that requests tokens; it has no middlewares, so that a token request can't require a
/// token.
public struct TokenClient: Sendable {
  private let client: Client

  /// Creates a client for an authorization server.
  ///
  /// - Parameters:
  ///   - baseURL: The server's base URL.
  ///   - transport: The transport; usually the transport of the client that uses the tokens.
  ///   - limits: The limits of token requests.
  ///   - clock: The clock for their time limits.
  ///   - observers: The observers of token requests; usually the observers of the client that uses the
  ///     tokens.
  public init(
    baseURL: BaseURL, transport: any Transport, limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(), observers: [any RequestObserver] = []
  ) {
    client = Client(baseURL: baseURL) {
      $0.transport = transport
      $0.limits = limits
      $0.clock = clock
      $0.observers = observers
    }
  }

  /// Sends an endpoint's request and returns the decoded value.
  ///
  /// - Throws: ``Client/Error``.
  public func send<E: Endpoint>(_ endpoint: E) async throws(Client.Error) -> E.Response {
    try await client.send(endpoint)
  }
}
