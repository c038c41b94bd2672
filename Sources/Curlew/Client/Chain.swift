import Foundation
import HTTPTypes

extension Client {
  /// The way of a request through a client.
  ///
  /// ```
  /// Client.send                  makes the request; starts the call's time limit and its observation
  ///   Chain.send                 once more from the cache, if the server can't be reached
  ///     middleware ...           each may change, repeat or replace the request
  ///       followingRedirects     for each redirect again:
  ///         CacheEngine          a stored response, or a validation, or
  ///           networkMiddleware ...
  ///             transfer         starts the time limits of the transfer and observes the attempt
  ///               Transport.send
  /// Client.send                  checks the status; reads and decodes the body
  /// ```
  ///
  /// A time limit can stop whatever a request awaits here. Middlewares, transports and cache storages that can't be stopped
  /// run in tasks of their own (``OwnTaskMiddleware``, ``OwnTaskTransport``).
  ///
  /// A class, because each step's closure captures it: copying a struct would retain each of its
  /// references.
  final class Chain: Sendable {
    /// What has memory, and belongs to the client: all of its requests share it, also those with changed middlewares.
    private struct Shared {
      let transport: any Transport
      let redirects: RedirectPolicy
      let timers: TimerTable
      let cache: CacheEngine?
      let connection: ConnectionStatus
    }

    private let middleware: [any Middleware]
    private let networkMiddleware: [any NetworkMiddleware]
    private let shared: Shared

    init(_ configuration: Client.Configuration, _ timers: TimerTable) {
      let transport = configuration.transport
      shared = Shared(
        transport: transport.isStoppable ? transport : OwnTaskTransport(base: transport),
        redirects: configuration.redirects, timers: timers,
        cache: configuration.cache.map { CacheEngine($0, timers) },
        connection: configuration.connection)
      middleware = configuration.middleware.map(\.step)
      networkMiddleware = configuration.networkMiddleware.map(\.step)
    }

    /// Creates a chain of other middlewares, which shares everything else.
    init(_ lists: MiddlewareLists, sharing chain: Chain) {
      shared = chain.shared
      middleware = lists.middleware.map(\.step)
      networkMiddleware = lists.networkMiddleware.map(\.step)
    }

    func send(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
      do {
        return try await send(request, from: 0)
      } catch {
        // The offline fallback comes after all retries. It also runs the middlewares, which may change the
        // request.
        guard let cache = shared.cache, cache.mayServeOffline(request), error.isDisconnection
        else { throw error }
        var offline = request
        offline.cacheUse.isOffline = true
        do { return try await send(offline, from: 0) } catch let failure {
          if case .cancelled = failure { throw failure }
          throw error
        }
      }
    }

    private func send(
      _ request: OutgoingRequest, from index: Int
    ) async throws(Client.Error) -> IncomingResponse {
      guard index < middleware.count else { return try await followingRedirects(request) }
      return try await middleware[index].send(request) { next async throws(Client.Error) in
        try await self.send(next.joiningCall(of: request), from: index + 1)
      }
    }

    private func followingRedirects(
      _ original: OutgoingRequest
    ) async throws(Client.Error) -> IncomingResponse {
      let policy = original.declaration.redirects ?? shared.redirects
      var request = original.isCrossOrigin ? original.withoutClientCredentials : original
      var (followed, isSignedOut) = (0, false)
      while true {
        // After a sign-out, the account of the request's credentials is unknown, so the cache is not used.
        let response =
          try await isSignedOut ? sendToNetwork(request, from: 0) : sendThroughCache(request)
        isSignedOut = isSignedOut || response.cached.isOutdated
        // Includes the fields that network middlewares added: a server may quote their secrets, too.
        let sent = response.request ?? request
        guard policy == .follow,
          let next = try Redirect(from: request, sentAs: sent.head, response.head)?.request
        else {
          if response.request != nil { return response }
          var stored = response
          stored.request = sent
          return stored
        }
        followed += 1
        guard followed <= request.limits.redirects else {
          throw .redirect(
            Client.RedirectFailure(
              request: original.description,
              location: next.redaction.redacting(url: next.url),
              reason: .tooMany(limit: request.limits.redirects)))
        }
        await response.finishShortBody(of: request)
        request = next
      }
    }

    private func sendThroughCache(
      _ request: OutgoingRequest
    ) async throws(Client.Error) -> IncomingResponse {
      guard let cache = shared.cache else {
        guard request.cacheUse.mode != .cacheOnly else { throw request.notStored }
        return try await sendToNetwork(request.forOtherCaches, from: 0)
      }
      guard cache.storage.isStoppable else {
        return try await request.inOwnTask { () async throws(Client.Error) in
          try await self.send(request, through: cache)
        }
      }
      return try await send(request, through: cache)
    }

    private func send(
      _ request: OutgoingRequest, through cache: CacheEngine
    ) async throws(Client.Error) -> IncomingResponse {
      try await cache.send(request) { next async throws(Client.Error) in
        try await self.sendToNetwork(next.joiningCall(of: request).forOtherCaches, from: 0)
      } served: { response, request in
        for middleware in self.networkMiddleware { middleware.served(response, to: request) }
      }
    }

    private func sendToNetwork(
      _ request: OutgoingRequest, from index: Int
    ) async throws(Client.Error) -> IncomingResponse {
      guard index < networkMiddleware.count else { return try await transfer(request) }
      return try await networkMiddleware[index].send(request) { next async throws(Client.Error) in
        try await self.sendToNetwork(next.joiningCall(of: request), from: index + 1)
      }
    }

    /// Sends a request with the transport, with its own time limits.
    private func transfer(_ original: OutgoingRequest) async throws(Client.Error)
      -> IncomingResponse
    {
      let attempt = original.call?.observation.map { AttemptObservation(original, of: $0) }
      var request = original
      for field in attempt?.begin() ?? [] { request.head.headerFields[field.name] = field.value }
      let sent = request
      let deadline = TransferDeadline(request.limits, shared.timers, attempt)
      request.transfer = deadline
      do {
        try Task.checkCancellation()
        var response = try await shared.transport.send(request)
        if let passed = deadline.end() { throw request.timeout(passed.limit) }
        let size =
          response.fieldsSize
          ?? response.head.headerFields.reduce(0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
          }
        guard size <= request.limits.headerSize else { throw HeaderTooLong() }
        try response.check(for: sent.head)
        shared.connection.updateStatus(after: nil)
        attempt?.arrived(response)
        response.body.expect(request, attempt)
        response.request = response.request ?? sent
        return response
      } catch {
        // A stopped transport may throw any error.
        let failure =
          deadline.end().map { request.timeout($0.limit, isSending: $0.isSending) }
          ?? request.failure(error)
        shared.connection.updateStatus(after: failure)
        attempt?.fail(failure)
        throw failure
      }
    }
  }
}

extension Client {
  /// Returns the client's chain of middlewares, or the chain of an endpoint that changes them.
  func chain(for request: OutgoingRequest) -> Chain {
    guard let change = request.declaration.middlewareChange else { return storage.chain }
    var lists = MiddlewareLists(
      middleware: configuration.middleware, networkMiddleware: configuration.networkMiddleware)
    change(&lists)
    return Chain(lists, sharing: storage.chain)
  }
}
