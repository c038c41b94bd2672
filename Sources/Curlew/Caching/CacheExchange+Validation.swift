import Foundation
import HTTPTypes
import Synchronization

extension CacheExchange {
  /// Validates a stored response with the server; equal concurrent requests share one validation.
  func validate(
    _ index: Int, of entries: [CacheEntry], _ conditions: HTTPFields, _ status: CacheStatus
  ) async throws(Client.Error) -> IncomingResponse {
    let key = CacheEngine.ValidationKey(lookup, entries[index].response.id, of: request)
    // A stream's body is read at its reader's pace, so others must not wait for it.
    guard !request.isStreamed else {
      return try await validateAlone(index, of: entries, conditions, status)
    }
    if let (follower, leader) = engine.validations.join(key, as: request.call?.observation?.id) {
      let outcome: CacheEngine.Validation?
      do {
        outcome = try await request.wait(for: follower, as: .coalesced(with: leader))
      } catch {
        engine.validations.removeFollower(key, follower)
        throw error
      }
      switch outcome {
      case .stored(let id):
        if let response = await collapsed(id, status) { return response }
        return try await validateAlone(index, of: entries, conditions, status)
      case .notStored: return try await validateAlone(index, of: entries, conditions, status)
      case .stale(var status):
        status.isCollapsed = true
        if let served = await serve(entries[index], nil, status) { return served }
        return try await validateAlone(index, of: entries, conditions, status)
      case .failed(let error): throw error
      case nil: engine.validations.lead(key, as: request.call?.observation?.id)
      }
    }
    do throws(Client.Error) {
      let response = try await validateAlone(index, of: entries, conditions, status)
      engine.validations.finish(key, Self.outcome(response))
      return response
    } catch {
      switch error {
      // Only this call ended; the other calls still need a response.
      case .cancelled, .notSent: engine.validations.handOver(key)
      case .timeout(let failure) where failure.limit == .total: engine.validations.handOver(key)
      default: engine.validations.finish(key, .failed(error))
      }
      throw error
    }
  }

  private static func outcome(_ response: IncomingResponse) -> CacheEngine.Validation {
    if let id = response.cached.storedID { return .stored(id) }
    // The server is failing: a request for each waiting call would only add load.
    if let status = response.cacheStatus, status.cause == .staleAfterError {
      return .stale(status)
    }
    return .notStored
  }

  /// Returns the response that another request validated or loaded; `nil` if it is no longer stored.
  private func collapsed(
    _ id: StoredResponse.ID, _ status: CacheStatus
  ) async -> IncomingResponse? {
    guard let entry = await storage.entries(for: lookup.key).first(where: { $0.response.id == id })
    else { return nil }
    var status = status
    status.isCollapsed = true
    return await serve(entry, isValidated: true, status)
  }

  private func validateAlone(
    _ index: Int, of entries: [CacheEntry], _ conditions: HTTPFields, _ status: CacheStatus
  ) async throws(Client.Error) -> IncomingResponse {
    let ticket = engine.cache.tickets.issue(for: lookup.key, since: request.call?.purges)
    let requestTime = engine.cache.now()
    var conditional = request
    for field in conditions { conditional.head.headerFields[field.name] = nil }
    conditional.head.headerFields.append(contentsOf: conditions)
    let response: IncomingResponse
    do throws(Client.Error) {
      response = try await next(conditional.forwarded(status))
    } catch {
      if error.isDisconnection, let served = await serveStale(entries[index], .disconnected) {
        return served
      }
      throw error
    }
    if let served = await serveStale(entries[index], insteadOf: response) { return served }
    guard response.head.status == .notModified else {
      return try await store(
        response, conditions, requestTime, over: entries, status, ticket)
    }
    let freshened = policy.freshened(
      entries.map(\.response), by: response.head, to: lookup.request, conditions: conditions,
      requestTime: requestTime, responseTime: engine.cache.now())
    for response in freshened where !ticket.isVoid {
      await storage.update(response, for: lookup.key)
    }
    let validated = freshened.first { $0.id == entries[index].response.id } ?? freshened.first
    guard let validated, let entry = entries.first(where: { $0.response.id == validated.id }) else {
      // The 304 matches no stored response: request the whole response.
      return try await forward(
        stale: nil, of: entries, .forwarded(.stale, .validatedNothing))
    }
    var status = status
    (status.forwardedStatus, status.isStored) = (response.head.status.code, true)
    status.cause = .validated
    status.timeToLive = policy.timeToLive(of: validated, now: engine.cache.now())
    guard
      var served = await serve((validated, entry.body), isValidated: true, status)
    else { return try await run(without: [entry.response.id]) }
    // Includes the fields that network middlewares added: a server may quote their secrets, too.
    served.request = response.request
    served.httpVersion = response.httpVersion
    // A response that was requested before an invalidation must not be shared.
    served.cached.storedID = ticket.isVoid ? nil : validated.id
    return served
  }

  /// Validates a stored response in the background, while it is served (RFC 5861 section 3).
  func validateInBackground() {
    var background = request.inOwnCall(engine.timers)
    background.cacheUse.isCurrent = true
    // The caller's own conditions and range.
    for name: HTTPField.Name in [.ifNoneMatch, .ifModifiedSince, .ifRange, .range] {
      background.head.headerFields[name] = nil
    }
    let exchange = CacheExchange(engine, background, next, served)
    let isFirst = engine.backgroundValidations.withLock { $0.insert(exchange.lookup).inserted }
    guard isFirst else { return }
    // Detached: it outlives the call, and must not inherit the call's task-local values.
    Task.detached { [background] in
      try? await background.observed { () async throws(Client.Error) in
        let timer = background.call?.start()
        defer {
          background.call?.end(timer)
          engine.backgroundValidations.withLock { _ = $0.remove(exchange.lookup) }
        }
        // A body is stored only if it is read to its end.
        _ = try await exchange.run().contents(for: background)
      }
    }
  }
}
