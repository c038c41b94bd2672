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
