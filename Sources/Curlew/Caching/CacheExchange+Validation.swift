import Foundation
import HTTPTypes
import Synchronization

extension CacheExchange {
  /// Asks the server whether a stored response is still good; of several equal requests at the same time one
  /// asks.
  func validate(
    _ index: Int, of entries: [CacheEntry], _ conditions: HTTPFields, _ status: CacheStatus
  ) async throws(Client.Error) -> IncomingResponse {
    let key = CacheEngine.ValidationKey(lookup, entries[index].response.id, of: request)
    // A stream's body is read when its reader likes.
    guard !request.isStreamed else {
      return try await validateAlone(index, of: entries, conditions, status)
    }
    if let (follower, leader) = engine.validations.join(key, as: request.observation?.id) {
      let outcome: CacheEngine.Validation?
      do {
        outcome = try await request.wait(for: follower, as: .coalesced(with: leader))
      } catch {
        engine.validations.leave(key, follower)
        throw error
      }
      switch outcome {
      case .stored(let id):
        if let response = await collapsed(id, status) { return response }
        return try await validateAlone(index, of: entries, conditions, status)
      case .notStored: return try await validateAlone(index, of: entries, conditions, status)
      case .stale(var status):
        status.isCollapsed = true
        if let served = await intact(serve(entries[index], nil, status)) { return served }
        return try await validateAlone(index, of: entries, conditions, status)
      case .failed(let error): throw error
      case nil: engine.validations.lead(key, as: request.observation?.id)
      }
    }
    do throws(Client.Error) {
      let response = try await validateAlone(index, of: entries, conditions, status)
      engine.validations.finish(key, Self.outcome(response))
      return response
    } catch {
      switch error {
      // Only this call ended; the others still want a response.
      case .cancelled, .notSent: engine.validations.handOver(key)
      case .timeout(let failure) where failure.limit == .total: engine.validations.handOver(key)
      default: engine.validations.finish(key, .failed(error))
      }
      throw error
    }
  }

  private static func outcome(_ response: IncomingResponse) -> CacheEngine.Validation {
    if let id = response.storedID { return .stored(id) }
    // Asking a server that fails once more for each of them would not help it, or them.
    if let status = response.cacheStatus, status.reason == .staleAfterError {
      return .stale(status)
    }
    return .notStored
  }

  /// Returns the response that another request validated or got; `nil` if it is gone.
  private func collapsed(
    _ id: StoredResponse.ID, _ status: CacheStatus
  ) async -> IncomingResponse? {
    guard let entry = await storage.entries(for: lookup.key).first(where: { $0.response.id == id })
    else { return nil }
    var status = status
    status.isCollapsed = true
    return await intact(serve(entry, isValidated: true, status))
  }

  private func validateAlone(
    _ index: Int, of entries: [CacheEntry], _ conditions: HTTPFields, _ status: CacheStatus
  ) async throws(Client.Error) -> IncomingResponse {
    let ticket = engine.cache.tickets.issue(for: lookup.key, since: request.purges)
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
        response, conditions, requestTime, over: entries, selected: index, status, ticket)
    }
    let freshened = policy.freshened(
      entries.map(\.response), by: response.head, to: lookup.request, conditions: conditions,
      requestTime: requestTime, responseTime: engine.cache.now())
    for response in freshened where !ticket.isVoid {
      await storage.update(response, for: lookup.key)
    }
    let validated = freshened.first { $0.id == entries[index].response.id } ?? freshened.first
    guard let validated, let entry = entries.first(where: { $0.response.id == validated.id }) else {
      // It is a 304 for something that is not stored: ask for the whole.
      return try await forward(
        stale: nil, of: entries, .forwarded(.stale, .validatedNothing))
    }
    var status = status
    (status.forwardedStatus, status.isStored) = (response.head.status.code, true)
    status.reason = .validated
    status.timeToLive = policy.timeToLive(of: validated, now: engine.cache.now())
    guard
      var served = await intact(
        serve((validated, entry.body), isValidated: true, status))
    else { return try await run(without: [entry.response.id]) }
    // Including what the network middlewares added: a server may quote their secrets, too.
    served.request = response.request
    served.httpVersion = response.httpVersion
    // What was asked before it became out of date is not for others.
    served.storedID = ticket.isVoid ? nil : validated.id
    return served
  }

  /// Validates a stored response that is served meanwhile (RFC 5861 section 3).
  func validateInBackground() {
    var background = request.inOwnCall(engine.timers)
    background.cacheUse.isCurrent = true
    // Those are the caller's.
    for name: HTTPField.Name in [.ifNoneMatch, .ifModifiedSince, .ifRange, .range] {
      background.head.headerFields[name] = nil
    }
    let exchange = CacheExchange(engine, background, next)
    let isFirst = engine.backgroundValidations.withLock { $0.insert(exchange.lookup).inserted }
    guard isFirst else { return }
    // Detached: it outlives the call, whose task-local values are not its own.
    Task.detached { [background] in
      try? await background.observed { () async throws(Client.Error) in
        let failure = await background.call?.run(inOwnTask: true) { () async -> Client.Error? in
          do throws(Client.Error) {
            // Read to its end, so that it is stored.
            _ = try await exchange.run().contents(for: background)
            return nil
          } catch {
            return error
          }
        }
        engine.backgroundValidations.withLock { _ = $0.remove(exchange.lookup) }
        if let failure = failure ?? nil { throw failure }
      }
    }
  }
}
