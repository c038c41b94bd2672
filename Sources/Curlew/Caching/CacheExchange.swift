import CurlewSupport
import Foundation
import HTTPTypes

/// The cache's handling of one request.
struct CacheExchange: Sendable {
  typealias Next = CacheEngine.Next

  let engine: CacheEngine
  let request: OutgoingRequest
  let lookup: CacheLookup
  let next: Next
  /// Called with a response that is served without a request on the wire.
  let served: CacheEngine.Served

  init(
    _ engine: CacheEngine, _ request: OutgoingRequest, _ next: @escaping Next,
    _ served: @escaping CacheEngine.Served
  ) {
    (self.engine, self.request, self.next, self.served) = (engine, request, next, served)
    lookup = CacheLookup(request, in: engine.cache)
  }

  var storage: any CacheStorage { engine.storage }
  var policy: CachePolicy { engine.policy }

  /// Serves a `GET` or a `HEAD`.
  ///
  /// - Parameter damaged: The stored responses whose bodies can't be read.
  func run(
    without damaged: Set<StoredResponse.ID> = []
  ) async throws(Client.Error) -> IncomingResponse {
    // Looked up again after a damaged entry, which may have been replaced meanwhile; three times at most.
    let entries =
      damaged.count > 2
      ? [] : await storage.entries(for: lookup.key).filter { !damaged.contains($0.response.id) }
    let decision = policy.decision(
      for: lookup.request, among: entries.map(\.response), now: engine.cache.now())
    if request.cacheUse.isOffline { return try await serveOffline(entries, decision) }
    switch decision {
    case .serve(let index, let part, let status, let validates):
      guard let response = await serve(entries[index], part, status) else {
        return try await run(without: damaged.union([entries[index].response.id]))
      }
      if validates { validateInBackground() }
      return response
    case .notModified(let index, let status, let validates):
      if validates { validateInBackground() }
      let head = policy.notModified(entries[index].response, now: engine.cache.now())
      return reported(IncomingResponse(head: head, body: ResponseBody()), status)
    case .unavailable(let status): return try unavailable(status)
    case .validate(let index, let conditions, let status):
      return try await validate(index, of: entries, conditions, status)
    case .forward(let stale, let status):
      return try await forward(stale: stale, of: entries, status)
    }
  }

  // MARK: Serving

  /// Returns a stored response with its body in memory; `nil` if the body can't be read or was removed meanwhile.
  ///
  /// After a part of a body has been delivered, the cache could no longer send the request instead. The observers get the
  /// whole response, too: its reader may know the body and not read it.
  func serve(
    _ entry: CacheEntry, _ part: ClosedRange<Int64>? = nil, isValidated: Bool = false,
    _ status: CacheStatus
  ) async -> IncomingResponse? {
    let head = policy.served(
      entry.response, part: part, isValidated: isValidated, now: engine.cache.now())
    let body = part.map { entry.body.part($0) } ?? entry.body
    var response = IncomingResponse(
      head: head, body: request.head.method == .head ? ResponseBody() : body)
    response.isDecoded = entry.response.isDecoded
    response.cached = CacheFacts(
      asOf: policy.currentAt(entry.response), requestTime: entry.response.requestTime,
      servedID: entry.response.id, isServedOutdated: entry.response.isOutdated)
    response.hasOpaqueFields = head.headerFields.contains(where: \.isOpaque)
    if response.body.data == nil {
      guard let data = try? await response.body.collect(upTo: .max) else { return nil }
      response.body = ResponseBody(data)
    }
    return reported(response, status)
  }

  /// Returns a response with the cache's status, and reports the status to the observers.
  func reported(_ response: IncomingResponse, _ status: CacheStatus) -> IncomingResponse {
    var response = response
    response.cacheStatus = status
    response.request = response.request ?? request
    response.head.headerFields.add(status)
    request.report(.cache(status))
    if status.isHit { served(response, request) }
    return response
  }

  /// Returns a 504, or throws for a cache-only call, because no request may be sent (RFC 9111 section
  /// 5.2.1.7).
  private func unavailable(_ status: CacheStatus) throws(Client.Error) -> IncomingResponse {
    if request.cacheUse.mode == .cacheOnly {
      request.report(.cache(status))
      throw request.notStored
    }
    return reported(
      IncomingResponse(head: HTTPResponse(status: .gatewayTimeout), body: ResponseBody()), status)
  }

  /// Serves a stored response because the server can't be reached (RFC 9111 section 4.2.4).
  private func serveOffline(
    _ entries: [CacheEntry], _ decision: CachePolicy.Decision
  ) async throws(Client.Error) -> IncomingResponse {
    let index: Int
    switch decision {
    // The stored response has become fresh meanwhile.
    case .serve(let index, let part, let status, _):
      guard let served = await serve(entries[index], part, status) else {
        throw request.notStored
      }
      return served
    case .validate(let stale, _, _), .forward(let stale?, _): index = stale
    default: throw request.notStored
    }
    guard let served = await serveStale(entries[index], .disconnected) else {
      throw request.notStored
    }
    return served
  }

  // MARK: Forwarding

  /// Sends a request that the cache does not serve; an unsafe request invalidates stored responses.
  func passThrough() async throws(Client.Error) -> IncomingResponse {
    if request.cacheUse.mode == .cacheOnly { throw request.notStored }
    var status = CacheStatus.forwarded(.method, .methodNotServed)
    let response = try await next(request.forwarded(status))
    status.forwardedStatus = response.head.status.code
    await invalidate(response.head)
    return reported(response, status)
  }

  /// Sends a request unchanged.
  func forward(
    stale: Int?, of entries: [CacheEntry], _ status: CacheStatus
  ) async throws(Client.Error) -> IncomingResponse {
    let ticket = engine.cache.tickets.issue(for: lookup.key, since: request.call?.purges)
    let requestTime = engine.cache.now()
    do throws(Client.Error) {
      let response = try await next(request.forwarded(status))
      if let stale, let served = await serveStale(entries[stale], insteadOf: response) {
        return served
      }
      return try await store(
        response, [:], requestTime, over: entries, status, ticket)
    } catch {
      if let stale, error.isDisconnection,
        let served = await serveStale(entries[stale], .disconnected)
      {
        return served
      }
      throw error
    }
  }

  func serveStale(
    _ entry: CacheEntry, _ failure: CachePolicy.Failure
  ) async -> IncomingResponse? {
    var policy = policy
    // Offline serving happens only after the retries.
    if !request.cacheUse.isOffline {
      (policy.maximumOfflineStaleness, policy.servesUnvalidatedWhenOffline) = (.zero, false)
    }
    let status = policy.staleStatus(
      of: entry.response, insteadOf: failure, for: lookup.request, now: engine.cache.now())
    guard let status else { return nil }
    return await serve(entry, nil, status)
  }

  /// Serves a stored response instead of the server's error, if the policy allows it.
  func serveStale(_ entry: CacheEntry, insteadOf response: IncomingResponse) async
    -> IncomingResponse?
  {
    let code = response.head.status.code
    guard code >= 500, let served = await serveStale(entry, .status(code)) else { return nil }
    await response.finishShortBody(of: request)
    return served
  }

  private func invalidate(_ head: HTTPResponse) async {
    let target = BaseURL.Target(request.head)
    for reference in policy.invalidated(by: head, to: request.head) {
      let resolved = reference.isEmpty ? target : try? URLReference(reference).target(from: target)
      guard let url = resolved, url.hasSameOrigin(as: target) else { continue }
      let text =
        reference.isEmpty ? request.cacheURL : "\(url.scheme)://\(url.authority)\(url.path)"
      let key = request.redaction.fingerprinting(url: text)
      engine.cache.tickets.void { $0.isAt(key, andBelow: false) }
      await storage.removeAll(at: key)
    }
  }
}

extension OutgoingRequest {
  /// The error of a cache-only call without a stored response.
  var notStored: Client.Error {
    .notSent(
      Client.NotSentFailure(request: description, reason: .notInCache, retryAfter: .zero))
  }
}

extension Client.Error {
  /// Whether the server was not reached, or the request not sent, so that a stored response may be served
  /// instead.
  public var isDisconnection: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout(let failure): failure.limit != .total
    case .notSent(let failure): failure.reason != .notInCache
    default: false
    }
  }
}

extension HTTPResponse.Status {
  /// Whether a response with this status reflects the resource's current state, so that an older stored
  /// response is outdated.
  var replacesStored: Bool {
    switch code {
    // A 206 is a part, of which `CachePolicy.outdated` compares the validators.
    case 200...205, 207...299, 300...303, 307, 308, 404, 410: true
    default: false
    }
  }
}

extension ResponseBody {
  /// Returns a range of the bytes.
  func part(_ range: ClosedRange<Int64>) -> ResponseBody {
    if let data {
      // The storage may report a wrong size.
      let count = Int(clamping: range.upperBound - range.lowerBound + 1)
      return ResponseBody(data.dropFirst(Int(clamping: range.lowerBound)).prefix(count))
    }
    return ResponseBody {
      var chunks = makeAsyncIterator()
      var offset: Int64 = 0
      return {
        while offset <= range.upperBound, let chunk = try await chunks.next() {
          let first = Swift.max(0, range.lowerBound - offset)
          let end = Swift.min(Int64(chunk.count), range.upperBound - offset + 1)
          offset += Int64(chunk.count)
          if first < end {
            return chunk.dropFirst(Int(first)).prefix(Int(end - first))
          }
        }
        return nil
      }
    }
  }
}
