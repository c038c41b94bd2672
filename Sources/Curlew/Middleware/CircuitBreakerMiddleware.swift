import HTTPTypes

/// Implements `.circuitBreaker(_:)`.
struct CircuitBreakerMiddleware: NetworkMiddleware {
  let breaker: CircuitBreaker

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
      if request.isStreamed {
        // It may last for hours.
        breaker.leave(host, .success, isProbe: isProbe)
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
    // The call ran out of time, or its task was cancelled.
    case .cancelled: request.hasRunOutOfTime ? .failure : .unknown
    // The server works, but its response is too large.
    case .tooLarge: .success
    default: .unknown
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Stops sending requests to servers that fail repeatedly, for a while.
  ///
  /// After consecutive failures (no complete response, timeouts, 5xx), a server's circuit opens:
  /// requests fail at once with ``Client/Error/notSent(_:)``. After a while, one request is sent as a
  /// probe: if it succeeds, the circuit closes; if it fails, the circuit opens again.
  public static func circuitBreaker(_ breaker: CircuitBreaker = CircuitBreaker()) -> Self {
    Self(CircuitBreakerMiddleware(breaker: breaker))
  }
}
