package import HTTPTypes

/// What a private cache may do (RFC 9111): values in, decisions out.
///
/// It sees no secrets: the values of credentials in requests are fingerprints here. It knows no storage and no
/// clock; ``ResponseCache`` uses it for each request.
package struct CachePolicy: Sendable, Hashable {
  /// Whether responses without an explicit lifetime are fresh for a share of their age (RFC 9111 section
  /// 4.2.2).
  package var usesHeuristics: Bool
  /// For how long a response may be stale and still be served when the server can't be reached; zero for
  /// never (RFC 9111 section 4.2.4).
  package var maximumOfflineStaleness: Duration

  /// Whether ``maximumOfflineStaleness`` is also for responses that must be validated, as in a browser's history (RFC
  /// 9111 section 6).
  package var servesUnvalidatedWhenOffline: Bool

  /// Creates a policy.
  package init(
    usesHeuristics: Bool = true, maximumOfflineStaleness: Duration = .zero,
    servesUnvalidatedWhenOffline: Bool = false
  ) {
    (self.usesHeuristics, self.maximumOfflineStaleness) = (usesHeuristics, maximumOfflineStaleness)
    self.servesUnvalidatedWhenOffline = servesUnvalidatedWhenOffline
  }

  /// A request, as the policy sees it.
  package struct Request: Sendable, Hashable {
    /// The request, with fingerprints instead of credentials.
    package var head: HTTPRequest
    /// How the call uses what is stored.
    package var mode: CacheMode
    /// Whether the response must be fresh, or one that the server sent or validated now: nothing stale, even
    /// where that is allowed.
    package var isCurrent: Bool

    /// Creates a request.
    package init(head: HTTPRequest, mode: CacheMode = .standard, isCurrent: Bool = false) {
      (self.head, self.mode, self.isCurrent) = (head, mode, isCurrent)
    }
  }

  /// How a request is served.
  package enum Decision: Sendable, Hashable {
    /// Serve a stored response; without its body for `HEAD`.
    ///
    /// - Parameters:
    ///   - index: Its index among those that were given.
    ///   - part: The part of its body that a `Range` asks for (206); `nil` for all of it.
    ///   - validates: Whether it is also validated in the background (`stale-while-revalidate`): see
    ///     ``CachePolicy/validation(of:)``.
    case serve(index: Int, part: ClosedRange<Int64>?, status: CacheStatus, validates: Bool)
    /// Respond with a 304 to the request's own conditions: ``CachePolicy/notModified(_:now:)``.
    ///
    /// - Parameters:
    ///   - index: The stored response that they were compared with.
    ///   - validates: Whether that is also validated in the background.
    case notModified(index: Int, status: CacheStatus, validates: Bool)
    /// Send the request with these fields, which make it conditional; after a 304, serve what
    /// ``CachePolicy/freshened(_:by:to:conditions:requestTime:responseTime:)`` returns. If that is nothing,
    /// the request is sent once more, as it is.
    ///
    /// - Parameters:
    ///   - index: The stored response that would be served after an error, if
    ///     ``CachePolicy/staleStatus(of:insteadOf:for:now:)`` allows it.
    case validate(index: Int, conditions: HTTPFields, status: CacheStatus)
    /// Send the request as it is.
    ///
    /// - Parameters:
    ///   - stale: The index of a stored response that could be served after an error; `nil` if there is none.
    case forward(stale: Int?, status: CacheStatus)
    /// Nothing may be sent, and nothing that is stored can be served (`only-if-cached`: 504).
    case unavailable(CacheStatus)
  }

  /// What came instead of a usable response.
  package enum Failure: Sendable, Hashable {
    /// A response with this status, from 500 on.
    case status(Int)
    /// No response: the server was not reached.
    case disconnected
  }

  /// Why a response is not stored.
  package struct NotStoredError: Error, Sendable, Hashable {
    /// The reason.
    package let reason: CacheReason
  }
}
