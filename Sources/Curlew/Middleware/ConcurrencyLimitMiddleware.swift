import HTTPTypes

/// Implements `.concurrency(_:)`.
struct ConcurrencyLimitMiddleware: Middleware, NetworkMiddleware {
  let limit: ConcurrencyLimit

  /// Sends a request when the limit allows it.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let slot = try await limit.queue.slot(of: request.head.authority ?? "", for: request)
    var response = try await next(request)
    response.body = response.body.whenDone { [slot] _ in _ = slot }
    return response
  }
}

extension NetworkMiddleware where Self == StandardMiddleware {
  /// Limits the number of concurrent requests to a server; further requests wait in order, prefetches
  /// last.
  ///
  /// A request counts until its response's body has been read or released.
  public static func concurrency(_ limit: Int) -> Self { .concurrency(ConcurrencyLimit(limit)) }

  /// Limits the number of concurrent requests to a server, with a limit whose status can be read.
  public static func concurrency(_ limit: ConcurrencyLimit) -> Self {
    Self(ConcurrencyLimitMiddleware(limit: limit))
  }
}

/// A limit for the number of concurrent requests to each server.
public final class ConcurrencyLimit: Sendable {
  let queue: RequestQueue

  /// Creates a limit of this many concurrent requests to a server.
  public init(_ limit: Int) {
    queue = RequestQueue(limit: limit)
  }

  /// Returns the number of running requests to a server, until their response has been read, and the
  /// number of waiting requests.
  ///
  /// - Parameter host: The host, followed by the port unless it is the scheme's default.
  public func status(of host: String) -> (running: Int, waiting: Int) { queue.counts(of: host) }
}
