import HTTPTypes

/// What `.concurrency(_:)` does.
struct ConcurrencyLimitMiddleware: NetworkMiddleware {
  let limit: ConcurrencyLimit

  /// Sends a request when the limit allows it.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let slot = try await limit.queue.slot(of: request.head.authority ?? "", for: request)
    var response = try await next(request)
    response.body = response.body.holding(slot)
    return response
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Lets only so many requests to one server run at a time; the others wait in order, prefetches last.
  ///
  /// A request runs until its response's body is read or dropped.
  public static func concurrency(_ limit: Int) -> Self { .concurrency(ConcurrencyLimit(limit)) }

  /// Lets only so many requests to one server run at a time.
  public static func concurrency(_ limit: ConcurrencyLimit) -> Self {
    Self(ConcurrencyLimitMiddleware(limit: limit))
  }
}
