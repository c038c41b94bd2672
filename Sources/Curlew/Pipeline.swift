import Foundation
import HTTPTypes

/// The way of a request: through the middlewares, and as often as redirects ask through those of a
/// hop to the transport.
struct Pipeline: Sendable {
  private let middleware: [any Middleware]
  private let hops: [any HopMiddleware]
  private let transport: any Transport
  private let isInterruptible: Bool

  init(_ configuration: Client.Configuration) {
    middleware = configuration.middleware.filter { !($0 is any HopMiddleware) }
    hops = configuration.middleware.compactMap { $0 as? any HopMiddleware }
    transport = configuration.transport
    isInterruptible = transport is any InterruptibleTransport
  }

  func send(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
    try await send(request, from: 0)
  }

  private func send(
    _ request: OutgoingRequest, from index: Int
  ) async throws(Client.Error) -> IncomingResponse {
    guard index < middleware.count else { return try await followingRedirects(request) }
    return try await middleware[index].send(request) { next async throws(Client.Error) in
      try await send(next.kept(to: request), from: index + 1)
    }
  }

  private func followingRedirects(
    _ original: OutgoingRequest
  ) async throws(Client.Error) -> IncomingResponse {
    var request = original
    var followed = 0
    while true {
      var response = hops.isEmpty ? try await transfer(request) : try await hop(request, from: 0)
      // With what the middlewares of the hop added, whose secrets a server may quote, too.
      let sent = response.request ?? request
      guard let next = try Redirect(from: request, sentAs: sent.head, response.head)?.request else {
        response.request = sent
        return response
      }
      followed += 1
      guard followed <= request.limits.redirects else {
        throw .redirect(
          Client.RedirectFailure(
            request: original.description,
            location: next.redaction.redacting(url: next.url),
            reason: .tooMany(limit: request.limits.redirects)))
      }
      await response.finishShortBody()
      request = next
    }
  }

  private func hop(
    _ request: OutgoingRequest, from index: Int
  ) async throws(Client.Error) -> IncomingResponse {
    guard index < hops.count else { return try await transfer(request) }
    return try await hops[index].send(request) { next async throws(Client.Error) in
      try await hop(next.kept(to: request), from: index + 1)
    }
  }

  private func transfer(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
    guard let lease = request.lease else { return try await ask(request) }
    return try await lease.awaitingHead(of: request) { () async throws(Client.Error) in
      if isInterruptible { return try await ask(request) }
      return try await lease.runInTaskOfItsOwn(isWhole: false) { () async throws(Client.Error) in
        try await ask(request)
      }
    }
  }

  private func ask(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
    do {
      try Task.checkCancellation()
      var response = try await transport.send(request)
      let size = response.head.headerFields.reduce(0) {
        $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
      }
      guard size <= request.limits.headerSize else { throw HeaderTooLong() }
      response.body.expect(request)
      response.request = response.request ?? request
      return response
    } catch {
      throw request.failure(error)
    }
  }
}

extension IncomingResponse {
  /// Reads the body as the client would: whole, or of an error as much as is kept, and without one
  /// where it is lost.
  func contents(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    do {
      if head.status.kind == .successful {
        return try await body.collect(upTo: request.limits.bodySize)
      }
      // A little more than is kept, so that a secret at the cut is seen as a whole and masked.
      return try await body.prefix(Client.StatusFailure.keptBytes + 8 * 1024).0
    } catch {
      let failure = (self.request ?? request).failure(error)
      if head.status.kind == .successful { throw failure }
      if case .cancelled = failure { throw failure }
      // The status says more than the loss of the text that explains it.
      return Data()
    }
  }

  /// Reads a short body to its end when nobody wants it, so that its connection serves the next
  /// request.
  ///
  /// Up to 2 KiB: a longer one costs more than a new connection.
  func finishShortBody() async {
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    guard let length, 1...2048 ~= length else { return }
    _ = try? await body.prefix(2048)
  }
}
