public import CurlewSupport
public import HTTPTypes

/// An event of a request, with secrets masked in all of its texts.
///
/// A *call* is one use of a client, which loads a value, a stream or a download. An *attempt* is one
/// request on the wire. A call makes several attempts if it is retried, redirected or gets a new token, and
/// no attempt if it shares the response to another call. Every call ends with exactly one
/// ``Stage/finished`` or ``Stage/failed(_:)`` event, every attempt with one
/// ``Stage/received(bytes:isComplete:)`` or ``Stage/lost(_:)`` event.
public struct RequestEvent: Sendable {
  /// A stage of a call or of an attempt.
  ///
  /// More stages may be added: a `switch` needs a `default`.
  @nonexhaustive public enum Stage: Sendable {
    /// The call began.
    case began
    /// The call waits for the response to an identical request of another call; `nil` if the other call is
    /// not observed.
    case coalesced(with: UInt64?)
    /// The call waits for a token.
    case waitingForToken
    /// The call waits for this time, until the server's rate limit resets; `nil` if it waits for the
    /// response to another request, which contains the limit.
    case waitingForRateLimit(Duration?)
    /// The call waits in a queue, for a connection or because of a limit of concurrent requests.
    case queued
    /// The call no longer waits.
    case resumed
    /// The cache handled a request of the call, or did not store its response.
    case cache(CacheStatus)
    /// The call will make another attempt after this time.
    indirect case retrying(after: Duration, because: RetryReason)

    /// An attempt began: the request is passed to the transport.
    case sending
    /// The attempt acquires a connection: a new connection or a pooled connection.
    case connecting
    /// The request was sent, including its body.
    case sent
    /// The head of the response arrived: ``RequestEvent/response``.
    case head(status: Int)
    /// A chunk of the body arrived; its size in bytes after decompression.
    case bytes(Int)
    /// The attempt ended; the size in bytes of the received body after decompression.
    ///
    /// - Parameter isComplete: Whether the body was read to its end; `false` if it was released before.
    case received(bytes: Int, isComplete: Bool)
    /// The attempt ended without a complete response.
    indirect case lost(Client.Error)

    /// The transport measured the attempt; just before the attempt's end, or after the end of a stopped
    /// attempt.
    indirect case measured(TransferMetrics)

    /// A body of this size was decoded.
    case decoded(bytes: Int)
    /// The call ended: a value was returned, or a stream was read or released.
    case finished
    /// The call ended with an error.
    indirect case failed(Client.Error)
  }

  /// The reason for another attempt.
  @nonexhaustive public enum RetryReason: Sendable {
    /// The response had this status.
    case status(Int)
    /// There was no complete response.
    case failure(Client.Error)
  }

  /// The stage that the call or the attempt reached.
  public let stage: Stage
  /// The time since the call began, on the client's clock.
  public let time: Duration
  let request: OutgoingRequest
  let observation: CallObservation
  let attemptObservation: AttemptObservation?

  /// The number of the call within the process, from 1; the call's attempts share it.
  public var call: UInt64 { observation.id }
  /// The initiator of the call, such as a screen's work.
  public var initiator: Initiator? { observation.initiator }
  /// The number of the attempt within its call, from 1; `nil` for stages of the call.
  public var attempt: Int? { attemptObservation?.number }
  /// The time since the attempt began; `nil` for stages of the call.
  public var attemptTime: Duration? { attemptObservation.map { time - $0.began } }
  /// The totals of all attempts of the call so far.
  public var totals: RequestTotals { observation.totals }

  /// The endpoint of the call.
  public var endpoint: any Endpoint { request.endpoint }
  /// The method.
  public var method: HTTPRequest.Method { request.head.method }
  /// The URL, with secrets masked.
  public var url: String { request.redaction.redacting(url: request.url) }
  /// The URL's scheme.
  public var scheme: String { request.head.scheme ?? "http" }
  /// The host, with the port if the URL contains a port.
  public var authority: String { request.head.authority ?? "" }
  /// The header fields of the request, with secrets masked.
  public var headerFields: HTTPFields { request.redaction.redacting(request.head.headerFields) }
  /// The size of the request's body in bytes: 0 without a body, `nil` if it is unknown before sending.
  public var bodySize: Int64? { request.body.map(\.length) ?? 0 }

  /// Whether the caller reads the response's body while it arrives: a stream or a download.
  public var isStreamed: Bool { request.isStreamed }
  /// The status code of the attempt's response; `nil` before it has arrived, and for stages of the call.
  public var status: Int? { attemptObservation?.response?.head.status.code }

  /// A `curl` command for the request, with secrets masked: see ``OutgoingRequest/curl(showsSecrets:)``.
  public var curl: String { request.curl() }

  /// The status and header fields of the attempt's response, with secrets masked; `nil` before they have
  /// arrived, and for stages of the call.
  public var response: HTTPResponse? {
    guard var head = attemptObservation?.response?.head else { return nil }
    // The reason phrase is dropped, because a server may quote secrets in it.
    head.status = HTTPResponse.Status(code: head.status.code)
    head.headerFields = request.redaction.redacting(
      head.headerFields, secretsOf: request.head)
    return head
  }
  /// The HTTP version of the attempt's response, such as `1.1`; `nil` if it is unknown.
  public var httpVersion: String? { attemptObservation?.response?.version }
}

/// The totals of all attempts of a call.
public struct RequestTotals: Sendable, Hashable {
  /// The number of requests on the wire.
  public var attempts = 0
  /// The number of attempts that the client's retries added.
  public var retries = 0
  /// The number of received body bytes, after decompression.
  public var bytes = 0
  /// The time that the call waited in queues, and for rate limits, tokens, other calls and retries.
  public var waited = Duration.zero
  /// The status code of the last response; `nil` if there was none.
  public var status: Int?
  /// The last status of the cache; `nil` without a cache.
  public var cacheStatus: CacheStatus?
  /// Whether the call shared the response to another call's request.
  public var isCoalesced = false
}
