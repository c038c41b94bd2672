import Foundation
import HTTPTypes

extension Client {
  /// The pipeline of a client: it sends a request through the middlewares, and then, for each redirect again,
  /// through the network middlewares to the transport.
  ///
  /// A class, because each step's closure captures it: copying a struct would retain each of its
  /// references.
  final class Chain: Sendable {
    private let middleware: [any Middleware]
    private let networkMiddleware: [any NetworkMiddleware]
    private let transport: any Transport
    /// Whether a time limit can stop everything that a request awaits; then the request runs in its caller's
    /// task.
    ///
    /// Curlew's own middlewares await only transfers, waiters and the clock, which can be stopped.
    let isStoppable: Bool
    /// Whether a time limit can stop the transport's transfers.
    private let hasStoppableTransfers: Bool
    private let redirects: RedirectPolicy
    private let timers: TimerTable
    private let cache: CacheEngine?
    private let connection: ConnectionStatus

    init(_ configuration: Client.Configuration, _ timers: TimerTable) {
      middleware = configuration.middleware.map { ($0 as? StandardMiddleware)?.base ?? $0 }
      networkMiddleware = configuration.networkMiddleware.map {
        ($0 as? StandardNetworkMiddleware)?.base ?? $0
      }
      transport = configuration.transport
      hasStoppableTransfers = transport is any StoppableTransport
      isStoppable =
        hasStoppableTransfers
        && configuration.middleware.allSatisfy { $0 is StandardMiddleware }
        && configuration.networkMiddleware.allSatisfy { $0 is StandardNetworkMiddleware }
      redirects = configuration.redirects
      self.timers = timers
      let observers = networkMiddleware.compactMap { $0 as? any CacheObserver }
      cache = configuration.cache.map { CacheEngine($0, timers, observers: observers) }
      connection = configuration.connection
    }

    func send(_ request: OutgoingRequest) async throws(Client.Error) -> IncomingResponse {
      do {
        return try await send(request, from: 0)
      } catch {
        // The offline fallback comes after all retries. It also runs the middlewares, which may change the
        // request.
        guard let cache, cache.mayServeOffline(request), error.isDisconnection else { throw error }
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
      let policy = original.declaration.redirects ?? redirects
      var request = original.isCrossOrigin ? original.withoutClientCredentials : original
      var (followed, isSignedOut) = (0, false)
      while true {
        // After a sign-out, the account of the request's credentials is unknown, so the cache is not used.
        let response =
          try await isSignedOut ? sendToNetwork(request, from: 0) : sendThroughCache(request)
        isSignedOut = isSignedOut || response.isOutdated
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
      guard let cache else {
        guard request.cacheUse.mode != .cacheOnly else { throw request.notStored }
        return try await sendToNetwork(request.forOtherCaches, from: 0)
      }
      return try await cache.send(request) { next async throws(Client.Error) in
        try await self.sendToNetwork(next.joiningCall(of: request).forOtherCaches, from: 0)
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
      let attempt = original.observation.map { AttemptObservation(original, of: $0) }
      var request = original
      for field in attempt?.begin() ?? [] { request.head.headerFields[field.name] = field.value }
      let sent = request
      let deadline = TransferDeadline(request.limits, timers, attempt)
      request.transfer = deadline
      do {
        try Task.checkCancellation()
        var response =
          try await hasStoppableTransfers
          ? transport.send(request) : sendInOwnTask(request, deadline)
        if let passed = deadline.end() { throw request.timeout(passed.limit) }
        let size =
          response.fieldsSize
          ?? response.head.headerFields.reduce(0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
          }
        guard size <= request.limits.headerSize else { throw HeaderTooLong() }
        try response.check(for: sent.head)
        connection.learn(from: nil)
        attempt?.arrived(response)
        response.body.expect(request, isStoppable: hasStoppableTransfers, attempt)
        response.request = response.request ?? sent
        return response
      } catch {
        // A stopped transport may throw any error.
        let failure =
          deadline.end().map { request.timeout($0.limit, isSending: $0.isSending) }
          ?? request.failure(error)
        connection.learn(from: failure)
        attempt?.fail(failure)
        throw failure
      }
    }

    private func sendInOwnTask(
      _ request: OutgoingRequest, _ deadline: TransferDeadline
    ) async throws -> IncomingResponse {
      deadline.awaits(.firstByte)
      return try await deadline.runStoppably { [transport] in try await transport.send(request) }
    }
  }
}

extension Client {
  /// Returns the client's chain of middlewares, or a separate chain for an endpoint that changes them.
  func chain(for request: OutgoingRequest) -> Chain {
    guard let change = request.declaration.middlewareChange else { return storage.chain }
    var configuration = configuration
    var lists = MiddlewareLists(
      middleware: configuration.middleware, networkMiddleware: configuration.networkMiddleware)
    change(&lists)
    (configuration.middleware, configuration.networkMiddleware) = (
      lists.middleware, lists.networkMiddleware
    )
    return Chain(configuration, storage.timers)
  }
}
