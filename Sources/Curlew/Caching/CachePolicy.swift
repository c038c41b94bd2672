import Foundation
import HTTPTypes

/// The rules of a private cache (RFC 9111), as pure functions.
///
/// It gets no secrets: the requests have fingerprints instead of credentials. It uses neither a storage nor a clock;
/// ``ResponseCache`` applies it to each request.
struct CachePolicy: Sendable, Hashable {
  /// Whether responses without an explicit lifetime are fresh for a fraction of the time since their last
  /// modification (RFC 9111 section 4.2.2).
  var usesHeuristics: Bool
  /// The maximum staleness of a response that is served when the server can't be reached; zero disables this (RFC
  /// 9111 section 4.2.4).
  var maximumOfflineStaleness: Duration

  /// Whether ``maximumOfflineStaleness`` also applies to responses that must be validated, as in a browser's history
  /// (RFC 9111 section 6).
  var servesUnvalidatedWhenOffline: Bool

  /// Creates a policy.
  init(
    usesHeuristics: Bool = true, maximumOfflineStaleness: Duration = .zero,
    servesUnvalidatedWhenOffline: Bool = false
  ) {
    (self.usesHeuristics, self.maximumOfflineStaleness) = (usesHeuristics, maximumOfflineStaleness)
    self.servesUnvalidatedWhenOffline = servesUnvalidatedWhenOffline
  }

  /// The policy's view of a request.
  struct Request: Sendable, Hashable {
    /// The request, with fingerprints instead of credentials.
    var head: HTTPRequest
    /// The call's cache mode.
    var mode: CacheMode
    /// Whether the response must be fresh, validated or new: never stale, even where stale responses are allowed.
    var isCurrent: Bool

    /// Creates a request.
    init(head: HTTPRequest, mode: CacheMode = .standard, isCurrent: Bool = false) {
      (self.head, self.mode, self.isCurrent) = (head, mode, isCurrent)
    }

    static func == (one: Self, other: Self) -> Bool {
      one.mode == other.mode && one.isCurrent == other.isCurrent
        && one.head.isBytewiseEqual(to: other.head)
    }
  }

  /// How a request is served.
  enum Decision: Sendable, Hashable {
    /// Serve a stored response; without its body for `HEAD`.
    ///
    /// - Parameters:
    ///   - index: The response's index.
    ///   - part: The part of its body that a `Range` asks for (206); `nil` for the whole body.
    ///   - validates: Whether the response is also validated in the background (`stale-while-revalidate`): see
    ///     ``CachePolicy/validation(of:)``.
    case serve(index: Int, part: ClosedRange<Int64>?, status: CacheStatus, validates: Bool)
    /// Respond with a 304 to the request's own conditions: ``CachePolicy/notModified(_:now:)``.
    ///
    /// - Parameters:
    ///   - index: The index of the stored response that the conditions were compared with.
    ///   - validates: Whether the stored response is also validated in the background.
    case notModified(index: Int, status: CacheStatus, validates: Bool)
    /// Send the request with these conditional fields; after a 304, serve the first response that
    /// ``CachePolicy/freshened(_:by:to:conditions:requestTime:responseTime:)`` returns. If it returns none, send the
    /// request again without the fields.
    ///
    /// - Parameters:
    ///   - index: The index of the stored response to serve after an error, if
    ///     ``CachePolicy/staleStatus(of:insteadOf:for:now:)`` allows it.
    case validate(index: Int, conditions: HTTPFields, status: CacheStatus)
    /// Send the request unchanged.
    ///
    /// - Parameters:
    ///   - stale: The index of the stored response to serve after an error; `nil` if there is none.
    case forward(stale: Int?, status: CacheStatus)
    /// No request may be sent, and no stored response can be served (`only-if-cached`: 504).
    case unavailable(CacheStatus)
  }

  /// The failure of a request.
  enum Failure: Sendable, Hashable {
    /// A response with this status, 500 or higher.
    case status(Int)
    /// No response: the server was not reached.
    case disconnected
  }

  /// The error of a response that is not stored.
  struct NotStoredError: Error, Sendable, Hashable {
    /// The reason.
    let reason: CacheReason
  }
}

extension CachePolicy {
  /// How a stored response may be used for a request.
  private enum Use {
    case serve(CacheReason, validates: Bool)
    case validate(CacheStatus.Forward, CacheReason)
  }

  /// Decides how a request is served (RFC 9111 section 4).
  func decision(for request: Request, among stored: [StoredResponse], now: Date)
    -> Decision
  {
    let (fields, method) = (request.head.headerFields, request.head.method)
    let directives = fields.cacheControl
    let isBound = request.mode == .cacheOnly || directives.restricts("only-if-cached")
    func forward(_ forward: CacheStatus.Forward, _ reason: CacheReason, stale: Int? = nil)
      -> Decision
    {
      isBound
        ? .unavailable(.unavailable(.onlyIfCached))
        : .forward(stale: stale, status: .forwarded(forward, reason))
    }
    guard method == .get || method == .head else { return forward(.method, .methodNotServed) }
    // Only the server may evaluate these preconditions (RFC 9111 section 4.3.2).
    guard !fields.contains(.ifMatch), !fields.contains(.ifUnmodifiedSince) else {
      return forward(.request, .ownConditions)
    }
    guard let index = chosen(for: request.head, among: stored) else {
      return stored.isEmpty ? forward(.uriMiss, .nothingStored) : forward(.varyMiss, .otherVariants)
    }
    let response = stored[index]
    let freshness = freshness(of: response, now: now)
    switch Self.use(of: freshness, for: request, directives) {
    case .serve(let reason, let validates):
      return Self.serve(
        response, index, freshness, for: request, reason, validates: validates && !isBound)
        ?? forward(.request, .rangeNotServed)
    case .validate(let kind, let reason):
      let hasOwn = fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince)
      let isPartial = method == .get && fields.contains(.range)
      // The caller gets the server's response to its own conditions or range, so the cache adds no
      // conditions.
      if hasOwn || isPartial { return forward(kind, reason) }
      // With `no-store`, a 304 must not update the cache either, so validation is useless (RFC 9111 section
      // 5.2.1.5).
      let isStored = !directives.restricts("no-store")
      guard method == .get, isStored else { return forward(kind, reason, stale: index) }
      let conditions = validation(of: response)
      guard !conditions.isEmpty else {
        return forward(kind, reason == .stale ? .staleWithoutValidator : reason, stale: index)
      }
      return isBound
        ? .unavailable(.unavailable(.onlyIfCached))
        : .validate(index: index, conditions: conditions, status: .forwarded(kind, reason))
    }
  }

  /// Returns whether a stored response may be served or must be validated (RFC 9111 section 4), regardless of
  /// the request's own conditions and range.
  private static func use(
    of stored: Freshness, for request: Request, _ directives: CacheControl
  ) -> Use {
    let (response, age, lifetime) = (stored.control, stored.age, stored.lifetime)
    let isFresh = stored.isKnown && !stored.isOutdated && age < lifetime && !stored.mustValidate
    let fresh = stored.isHeuristic ? CacheReason.freshByHeuristics : .fresh
    switch request.mode {
    case .cacheElseLoad, .cacheOnly:
      return .serve(isFresh ? fresh : .storedPreferred, validates: false)
    case .reload:
      let reloads = directives.restricts("no-cache") || !response.permits("immutable")
      return isFresh && !reloads
        ? .serve(.immutable, validates: false) : .validate(.request, .freshestRequested)
    case .standard: break
    }
    if directives.restricts("no-cache") { return .validate(.request, .requestNoCache) }
    if request.head.headerFields.asksForValidationByPragma {
      return .validate(.request, .requestPragma)
    }
    if stored.isNoLongerStored { return .validate(.stale, .responseNoLongerStored) }
    if response.noCache { return .validate(.stale, .responseNoCache) }
    guard stored.isKnown else { return .validate(.stale, .clockSetBack) }
    if stored.isOutdated { return .validate(.stale, .outdated) }
    let maxAge = directives.shortest("max-age")
    // `max-age=0` requires validation, even of a response that just arrived.
    if let maxAge, age > maxAge || maxAge == 0 {
      return .validate(isFresh ? .request : .stale, isFresh ? .requestMaxAge : .stale)
    }
    let minFresh = directives.longest("min-fresh")
    if isFresh {
      let isFreshEnough = lifetime - age >= minFresh ?? 0
      return isFreshEnough
        ? .serve(fresh, validates: false) : .validate(.request, .requestMinFresh)
    }
    if response.restricts("must-revalidate") { return .validate(.stale, .mustRevalidate) }
    if request.isCurrent { return .validate(.stale, .stale) }
    let staleness = age - lifetime
    if minFresh == nil, let maxStale = directives.maxStale {
      return staleness <= maxStale
        ? .serve(.staleAccepted, validates: false) : .validate(.stale, .stale)
    }
    // A request with `max-age` or `min-fresh` accepts no stale response (RFC 9111 section 5.2.1.1).
    if maxAge == nil, minFresh == nil, staleness <= response.window("stale-while-revalidate") {
      return .serve(.staleWhileRevalidating, validates: true)
    }
    return .validate(.stale, .stale)
  }

  /// Returns the status with which a stored response is served instead of an error; `nil` if it must not be
  /// served (RFC 9111 section 4.2.4, RFC 5861 section 4).
  func staleStatus(
    of stored: StoredResponse, insteadOf failure: Failure, for request: Request, now: Date
  ) -> CacheStatus? {
    let directives = request.head.headerFields.cacheControl
    let freshness = freshness(of: stored, now: now)
    let response = freshness.control
    // A request that demands a fresh or validated response gets the error. A response that requires
    // validation must not be served without it (section 4.2.4): this rule takes precedence over
    // `stale-if-error`.
    guard request.mode != .reload, !request.isCurrent, !directives.restricts("no-cache"),
      directives.shortest("max-age") == nil, directives.longest("min-fresh") == nil,
      !request.head.headerFields.asksForValidationByPragma
    else { return nil }
    let isForbidden =
      freshness.mustValidate || response.restricts("must-revalidate") || !freshness.isKnown
    guard !isForbidden || servesUnvalidatedWhenOffline && failure == .disconnected else {
      return nil
    }
    let staleness = freshness.age - freshness.lifetime
    let window = max(response.window("stale-if-error"), directives.window("stale-if-error"))
    let reason: CacheReason
    switch failure {
    case .status(let code):
      // RFC 5861 section 4 lists these status codes.
      guard [500, 502, 503, 504].contains(code), staleness <= window else { return nil }
      reason = .staleAfterError
    case .disconnected:
      let offline = maximumOfflineStaleness / .seconds(1)
      guard staleness <= max(window, offline == 0 ? -1 : offline) else { return nil }
      reason =
        isForbidden
        ? .historyWhenOffline : staleness <= window ? .staleAfterError : .staleWhenOffline
    }
    var status = CacheStatus.forwarded(.stale, reason)
    if case .status(let code) = failure { status.forwardedStatus = code }
    (status.age, status.timeToLive) = (Int(freshness.age), freshness.timeToLive)
    return status
  }
}

extension CacheControl {
  /// Returns the number of seconds past its lifetime for which a directive permits using a response; negative
  /// if the directive is missing.
  fileprivate func window(_ name: String) -> Double { shortest(name) ?? -1 }
}

extension HTTPFields {
  /// Whether `Pragma: no-cache` requires validation; it is ignored if there is a `Cache-Control` field (RFC
  /// 9111 section 5.4).
  var asksForValidationByPragma: Bool {
    guard let pragma = HTTPField.Name("Pragma"), contains(pragma), !contains(.cacheControl) else {
      return false
    }
    return tokens(pragma).contains("no-cache")
  }
}
