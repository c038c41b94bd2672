import Foundation
import HTTPTypes

/// The way of a request: through the middlewares, then to the transport as often as redirects ask.
struct Pipeline: Sendable {
  let middleware: [any Middleware]
  let transport: any Transport
  /// The transport again, when the lease is to stop its transfers.
  let interruptible: (any InterruptibleTransport)?
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
      // In place: each frame of an asynchronous call costs an allocation.
      var response: IncomingResponse
      lease.startWaitingForHead()
      do {
        try Task.checkCancellation()
        if let interruptible {
          response = try await interruptible.send(request, interruption: Interruption(lease))
        } else {
          response = try await transport.send(request)
        }
        lease.stopWaitingForHead()
      } catch {
        lease.stopWaitingForHead()
        throw request.failure(error)
      }
      guard let next = try Redirect(from: request, response.head)?.request else {
        response.request = request
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
      await finishShortBody(of: response)
      request = next
    }
  }

  /// Reads a redirect's short body to its end, so that its connection serves the next request.
  ///
  /// Up to 2 KiB: a longer one costs more than a new connection.
  private func finishShortBody(of response: IncomingResponse) async {
    let length = response.head.headerFields[.contentLength].flatMap { Int($0) }
    guard let length, 1...2048 ~= length else { return }
    _ = try? await response.body.prefix(2048)
  }
}
