import Foundation
import HTTPTypes

extension CacheExchange {
  /// Stores the server's response while it is read, if the policy allows it; returns the response.
  ///
  /// - Parameter conditions: The fields that the cache added to the request.
  func store(
    _ response: IncomingResponse, _ conditions: HTTPFields, _ requestTime: Date,
    over entries: [CacheEntry], _ status: CacheStatus, _ ticket: CacheTickets.Ticket
  ) async throws(Client.Error) -> IncomingResponse {
    var (response, status) = (response, status)
    status.forwardedStatus = response.head.status.code
    let responseTime = engine.cache.now()
    (response.cached.asOf, response.cached.requestTime) = (responseTime, requestTime)
    response.cached.isOutdated = ticket.isVoid
    let stored = entries.map(\.response)
    let sent = lookup.sent(response.request ?? request, without: conditions, instead: request)
    let outcome =
      sent.map { sent in
        policy.storing(
          response.head, to: sent, requestTime: requestTime, responseTime: responseTime,
          isDecoded: response.isDecoded)
      } ?? .failure(CachePolicy.NotStoredError(reason: .credentialsAddedBelow))
    var others = stored
    if response.head.status == .notModified {
      // A 304 to the caller's own conditions freshens the stored responses, too.
      let freshened = policy.freshened(
        stored, by: response.head, to: lookup.request, conditions: [:], requestTime: requestTime,
        responseTime: responseTime)
      for response in freshened where !ticket.isVoid {
        await storage.update(response, for: lookup.key)
      }
      others.removeAll { other in freshened.contains { $0.id == other.id } }
    }
    if case .failure = outcome {
      // The response can't replace them.
      let outdated = policy.outdated(others, by: response.head, to: lookup.request)
      if !outdated.isEmpty, request.head.method == .get, response.head.status.replacesStored {
        await storage.remove(outdated.map(\.id), for: lookup.key)
      } else {
        for var response in outdated {
          response.isOutdated = true
          await storage.update(response, for: lookup.key)
        }
      }
    }
    if request.head.method == .head {
      if !ticket.isVoid { await freshen(stored, by: response.head, requestTime, responseTime) }
      return finished(
        response, status, .failure(CachePolicy.NotStoredError(reason: .methodNotStored)))
    }
    // With a named account, credentials are not part of the key: requests with valid credentials would get
    // this response.
    let refusesCredentials = lookup.namesAccount && [401, 407].contains(response.head.status.code)
    // A download's bytes, which other requests expect to be decoded.
    let isCoded =
      request.keepsContentCoding && response.head.headerFields.contains(.contentEncoding)
    if refusesCredentials || isCoded {
      return finished(
        response, status, .failure(CachePolicy.NotStoredError(reason: .onlyForItsRequest)))
    }
    switch outcome {
    case .failure: return finished(response, status, outcome)
    case .success(var new):
      let length = response.head.headerFields[.contentLength].flatMap { Int64($0) }
      let announced = response.isDecoded ? nil : length
      new.bodySize = response.body.data.map { Int64($0.count) } ?? announced ?? -1
      let replaced =
        policy.replaced(by: new, to: sent ?? lookup.request, among: stored)
        + policy.excessVariants(of: stored)
      guard let writer = await storage.store(new, for: lookup.key, replacing: replaced) else {
        await storage.remove(replaced, for: lookup.key)
        return finished(response, status, .failure(CachePolicy.NotStoredError(reason: .notTaken)))
      }
      let storing = Storing(
        writer: writer, response: new, request: sent ?? lookup.request, policy: policy,
        key: lookup.key, storage: storage, ticket: ticket, replaced: replaced,
        hasDate: response.head.headerFields.date(.date, now: responseTime) != nil,
        length: announced)
      status.isStored = true
      let isRead = !request.isStreamed && request.accepts(response.head.status)
      if isRead || response.body.data != nil || announced == 0 {
        // The body is read anyway: the storage shares it instead of copying it.
        let data =
          try await isRead
          ? response.contents(for: request) : response.body.data ?? Data()
        response.body = ResponseBody(data)
        let isWhole = announced == nil || announced == Int64(data.count)
        status.isStored = isWhole ? await storing.store(data) : false
        if status.isStored {
          response.cached.storedID = new.id
        } else {
          status.notStoredCause = !isWhole ? .incomplete : ticket.isVoid ? .outOfDate : .notTaken
        }
      } else {
        response.body = storing.body(response.body)
      }
      return finished(response, status, outcome)
    }
  }

  private func finished(
    _ response: IncomingResponse, _ status: CacheStatus,
    _ outcome: Result<StoredResponse, CachePolicy.NotStoredError>
  ) -> IncomingResponse {
    var status = status
    switch outcome {
    case .success(let stored):
      if status.isStored {
        status.timeToLive = policy.timeToLive(of: stored, now: engine.cache.now())
      }
    case .failure(let refusal): status.notStoredCause = refusal.reason
    }
    return reported(response, status)
  }

  private func freshen(
    _ stored: [StoredResponse], by head: HTTPResponse, _ requestTime: Date, _ responseTime: Date
  ) async {
    let (updated, outdated) = policy.freshenedByHead(
      stored, by: head, to: lookup.request, requestTime: requestTime, responseTime: responseTime)
    for response in updated { await storage.update(response, for: lookup.key) }
    if !outdated.isEmpty { await storage.remove(outdated, for: lookup.key) }
  }

  /// A response that is being stored.
  private struct Storing: Sendable {
    let writer: any CacheWriter
    let response: StoredResponse
    let request: CachePolicy.Request
    let policy: CachePolicy
    let key: CacheKey
    let storage: any CacheStorage
    let ticket: CacheTickets.Ticket
    let replaced: [StoredResponse.ID]
    /// Whether the server sent a `Date`.
    let hasDate: Bool
    /// The announced length in bytes; `nil` if there is none.
    let length: Int64?

    func append(_ chunk: Data) async -> Bool {
      if ticket.isVoid { return false }
      if await writer.append(chunk) { return true }
      // The body is too large, but the entries that it would have replaced are outdated anyway.
      if !ticket.isVoid { await storage.remove(replaced, for: key) }
      return false
    }

    func store(_ body: Data) async -> Bool {
      guard await append(body) else { return false }
      return await finish()
    }

    /// Stores the response unless it is outdated; returns whether it is stored.
    func finish() async -> Bool {
      guard !ticket.isVoid, await writer.finish() else { return false }
      let others = ticket.stored(response, hasDate: hasDate) { other in
        !policy.replaced(by: response, to: request, among: [other]).isEmpty
      }
      if let others, !others.isEmpty { await storage.remove(others, for: key) }
      guard others == nil || ticket.isVoid else { return true }
      // A newer response was stored meanwhile, or an invalidation voided the ticket.
      await storage.remove([response.id], for: key)
      return false
    }

    /// Returns a body that is stored while it is read, if it is read to its end.
    func body(_ body: ResponseBody) -> ResponseBody {
      ResponseBody {
        var chunks = body.makeAsyncIterator()
        var (count, isStored) = (Int64(0), true)
        return {
          let chunk = try await chunks.next()
          guard isStored else { return chunk }
          if let chunk {
            count += Int64(chunk.count)
            isStored = await append(chunk)
          } else {
            // Transports check the length, too; this check is the last resort.
            if length == nil || length == count { _ = await finish() }
            isStored = false
          }
          return chunk
        }
      }
    }
  }
}
