import HTTPTypes

/// What `.circuitBreaker(_:)` does.
struct CircuitBreakerMiddleware: NetworkMiddleware {
  private let breaker: CircuitBreaker

  /// Creates a middleware.
  init(_ breaker: CircuitBreaker) {
    self.breaker = breaker
  }

  /// Sends a request unless its server's circuit is open.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = request.head.authority ?? ""
    let isProbe: Bool
    switch breaker.enter(host, request) {
    case .pass(let probes): isProbe = probes
    case .refused(let remaining):
      throw .notSent(
        Client.NotSentFailure(
          request: request.description, reason: .circuitOpen, retryAfter: remaining))
    }
    do throws(Client.Error) {
      var response = try await next(request)
      guard response.head.status.kind != .serverError else {
        breaker.leave(host, .failure, isProbe: isProbe)
        return response
      }
      response.body = response.body.whenDone { [breaker] error in
        let outcome = error.map { Self.outcome(of: request.failure($0), request) } ?? .success
        breaker.leave(host, outcome, isProbe: isProbe)
      }
      return response
    } catch {
      breaker.leave(host, Self.outcome(of: error, request), isProbe: isProbe)
      throw error
    }
  }

  private static func outcome(
    of error: Client.Error, _ request: OutgoingRequest
  ) -> CircuitBreaker.Outcome {
    switch error {
    case .transport, .timeout: .failure
    // The server was too slow, or the caller had enough.
    case .cancelled: request.hasRunOutOfTime ? .failure : .unknown
    // It sent more than the client takes, and works.
    case .tooLarge: .success
    default: .unknown
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Stops sending requests to servers that fail again and again, for a while.
  ///
  /// After failures in a row (no response, one that breaks off or stalls, timeouts, 5xx) the circuit of a
  /// server is open: requests fail at once with ``Client/Error/notSent(_:)``. After a time one request
  /// tries: its success closes the circuit, its failure opens it again.
  public static func circuitBreaker(_ breaker: CircuitBreaker = CircuitBreaker()) -> Self {
    Self(CircuitBreakerMiddleware(breaker))
  }
}
