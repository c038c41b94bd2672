import Foundation
import HTTPTypes

/// The way of a request: through the middlewares, then to the transport as often as redirects ask.
struct Pipeline: Sendable {
  let middleware: [any Middleware]
  let transport: any Transport
  let lease: Watchdog.Lease

  func send(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
    try await send(request, from: 0)
  }

  private func send(
    _ request: OutgoingRequest, from index: Int
  ) async throws(Client.Error) -> IncomingResponse {
    guard index < middleware.count else { return try await followingRedirects(request) }
    return try await middleware[index].send(request) {
      request async throws(Client.Error) in try await send(request, from: index + 1)
    }
  }

  private func followingRedirects(
    _ original: OutgoingRequest
  ) async throws(Client.Error) -> IncomingResponse {
    var request = original
    var followed = 0
    while true {
      var response = try await exchange(request)
      guard let next = try Redirect(from: request, response.head)?.request else {
        response.request = request.head
        return response
      }
      followed += 1
      guard followed <= request.limits.redirects else {
        throw .redirect(
          Client.RedirectFailure(
            request: original.description,
            location: request.redaction.redacting(url: next.url),
            reason: .tooMany(limit: request.limits.redirects)))
      }
      request = next
    }
  }

  /// One request, one answer, with the time to its first byte limited.
  private func exchange(
    _ request: OutgoingRequest
  ) async throws(Client.Error) -> IncomingResponse {
    lease.startWaitingForHead()
    defer { lease.stopWaitingForHead() }
    return try await request.mappingErrors {
      try Task.checkCancellation()
      return try await transport.send(request)
    }
  }
}
