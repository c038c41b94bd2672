/// A bearer token (RFC 6750), with the token that refreshes it.
public struct BearerToken: Sendable, Hashable {
  /// Gets a new token, given the old one; the client that it is given adds no tokens, so that a refresh
  /// can't cause another.
  public typealias Refresh =
    @Sendable (TokenClient, BearerToken?) async throws(Client.Error) -> BearerToken

  /// The token of requests.
  public var access: Sensitive
  /// The refresh token (RFC 6749 section 6).
  public var refresh: Sensitive?

  /// Creates a token.
  public init(access: Sensitive, refresh: Sensitive? = nil) {
    self.access = access
    self.refresh = refresh
  }
}

/// Sends requests for tokens: a client without middlewares, so that getting a token can't need one.
public struct TokenClient: Sendable {
  private let client: Client

  /// Creates a client of the server that gives tokens.
  ///
  /// - Parameters:
  ///   - baseURL: That server's root.
  ///   - transport: Sends the requests; usually the transport of the client that uses the tokens.
  ///   - limits: What such a request may take.
  ///   - clock: The clock of its time limits.
  public init(
    baseURL: BaseURL, transport: any Transport, limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    client = Client(baseURL: baseURL) {
      $0.transport = transport
      $0.limits = limits
      $0.clock = clock
    }
  }

  /// Sends an endpoint and returns its value.
  ///
  /// - Throws: ``Client/Error``.
  public func send<E: Endpoint>(_ endpoint: E) async throws(Client.Error) -> E.Response {
    try await client.send(endpoint)
  }
}
