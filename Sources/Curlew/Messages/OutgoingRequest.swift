import CurlewSupport
public import HTTPTypes

/// A request that passes through the middlewares to the transport.
public struct OutgoingRequest: Sendable {
  /// The fields behind one reference: each of the many asynchronous calls that pass the request would copy
  /// them.
  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  struct Fields: Sendable {
    var head: HTTPRequest
    var body: OutgoingBody?
    var declaration: any RequestDeclaration
    /// The endpoint; `nil` if it is the declaration itself.
    var endpoint: (any Endpoint)?
    var limits: Limits
    var redaction: Redaction
    var isStreamed = false
    var checksWhole = false
    var keepsContentCoding = false
    var isCrossOrigin = false
    var isRedirected = false
    var cacheUse = CacheUse()
    /// The reason why the cache forwards the request; `nil` without a cache.
    var cacheStatus: CacheStatus?
    /// The call; `nil` outside of a client.
    var call: Call?
  }

  private var box: Box
  /// The time limits of the transfer; `nil` in middlewares.
  var transfer: TransferDeadline?

  init(_ fields: Fields) {
    box = Box(fields)
  }

  /// Creates a request.
  public init(
    head: HTTPRequest,
    body: OutgoingBody? = nil,
    endpoint: any Endpoint,
    limits: Limits = Limits(),
    redaction: Redaction = Redaction()
  ) {
    self.init(
      Fields(
        head: head, body: body, declaration: endpoint.declaration, endpoint: endpoint,
        limits: limits, redaction: redaction))
  }

  /// Returns whether two requests share their storage, and so are the same request.
  func isIdentical(to other: OutgoingRequest) -> Bool { box === other.box }

  private mutating func change(_ body: (inout Fields) -> Void) {
    var fields = box.fields
    body(&fields)
    box = Box(fields)
  }

  private func changed(_ body: (inout Fields) -> Void) -> OutgoingRequest {
    var copy = self
    copy.change(body)
    return copy
  }

  /// The method, scheme, authority, path with query, and header fields (RFC 9110 section 7.1).
  public var head: HTTPRequest {
    get { box.fields.head }
    set { change { $0.head = newValue } }
  }

  /// The body; `nil` for no body.
  public var body: OutgoingBody? {
    get { box.fields.body }
    set { change { $0.body = newValue } }
  }

  /// Whether the caller reads the response's body while it arrives; then no middleware may wait for its
  /// end.
  var isStreamed: Bool { box.fields.isStreamed }

  /// Whether the caller calls ``IncomingResponse/checkWhole``, such as a resumed download.
  public var checksWhole: Bool {
    get { box.fields.checksWhole }
    set { change { $0.checksWhole = newValue } }
  }

  /// Whether the received bytes are delivered without decoding their content coding: a download saves what was sent, whose
  /// digest and ranges refer to it.
  public var keepsContentCoding: Bool {
    get { box.fields.keepsContentCoding }
    set { change { $0.keepsContentCoding = newValue } }
  }

  /// The endpoint of the request.
  public var endpoint: any Endpoint { box.fields.endpoint ?? box.fields.declaration }
  /// The endpoint's declaration of the request.
  var declaration: any RequestDeclaration { box.fields.declaration }
  /// Whether the endpoint's request may be retried; by default `true` if its method is idempotent.
  public var isRetryable: Bool { declaration.isRetryable }

  /// The limits for the time, size and redirects of the request.
  ///
  /// A middleware may change them for the rest of the chain, except for ``Limits/total``, which started
  /// with the call.
  public var limits: Limits {
    get { box.fields.limits }
    set { change { $0.limits = newValue } }
  }

  /// The header fields and query items that are masked in texts about the request.
  public var redaction: Redaction {
    get { box.fields.redaction }
    set { change { $0.redaction = newValue } }
  }

  /// Whether the endpoint has its own URL (``Path/url(_:)``) whose origin differs from the base URL's
  /// origin, or that comes from a response of another origin.
  ///
  /// Such a request carries only the credentials of ``Request/headerFields``: the client removes the fields
  /// of ``Redaction/headerFields`` that middlewares add. A middleware that adds a credential elsewhere,
  /// such as to the query, must not add it to such a request.
  public var isCrossOrigin: Bool { box.fields.isCrossOrigin }

  /// Whether a redirect has changed the URL.
  var isRedirected: Bool {
    get { box.fields.isRedirected }
    set { change { $0.isRedirected = newValue } }
  }

  /// The full URL; it contains secrets, so don't log it.
  public var url: String {
    "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// The target URI (RFC 9110 section 7.1), with the host of the endpoint's own `Host` field, if any.
  var cacheURL: String {
    guard let host = head.headerFields[.host] else { return url }
    return "\(head.scheme ?? "http")://\(host.lowercased())\(head.path ?? "/")"
  }

  /// The scheme, host and port (RFC 9110 section 4.3.1).
  public var origin: String { "\(head.scheme ?? "http")://\(head.authority ?? "")" }

  /// The way in which the request uses the client's cache.
  var cacheUse: CacheUse {
    get { box.fields.cacheUse }
    set { change { $0.cacheUse = newValue } }
  }

  var call: Call? { box.fields.call }
  /// The reason why the cache forwards the request; `nil` without a cache.
  public var cacheStatus: CacheStatus? { box.fields.cacheStatus }

  /// Returns this request as part of the original request's call, if it has no call: a middleware may have
  /// created it.
  func joiningCall(of original: OutgoingRequest) -> OutgoingRequest {
    guard call == nil, let call = original.call else { return self }
    return changed {
      ($0.call, $0.isCrossOrigin) = (call, original.isCrossOrigin)
      $0.cacheUse = original.cacheUse
    }
  }

  /// Returns this request as a part of a call that began with another request, with time limits that start now.
  func continuing(_ first: OutgoingRequest) -> OutgoingRequest {
    guard let call = first.call else { return self }
    return inCall(call.timers, observation: call.observation, of: call)
  }

  /// Returns this request as a separate call, which begins now.
  func inOwnCall(_ timers: TimerTable) -> OutgoingRequest {
    inCall(timers, observation: call?.observation?.inCallOfItsOwn(timers.clock), of: call)
  }

  private func inCall(
    _ timers: TimerTable, observation: CallObservation?, of original: Call?
  ) -> OutgoingRequest {
    changed { fields in
      fields.call = Call(
        fields.limits, timers, observation: observation, purges: original?.purges,
        networkMonitor: fields.call?.networkMonitor, signOuts: original?.signOuts)
    }
  }

  /// Returns this request with the reason why the cache forwards it.
  func forwarded(_ status: CacheStatus) -> OutgoingRequest {
    changed { $0.cacheStatus = status }
  }

  /// The request for intermediate caches: with the mode `reload`, `no-cache` makes them validate, too.
  var forOtherCaches: OutgoingRequest {
    guard cacheUse.mode == .reload, head.headerFields[.cacheControl] == nil else { return self }
    return changed { $0.head.headerFields[.cacheControl] = "no-cache" }
  }

  /// The request with only the credentials of its endpoint.
  var withoutClientCredentials: OutgoingRequest {
    changed { fields in
      let own = fields.declaration.headerFields
      for name in fields.redaction.credentials.union([.host]) {
        fields.head.headerFields[fields: name] = own[fields: name]
      }
    }
  }
}

extension HTTPField.Name {
  /// The `Host` field, for endpoints that set their own host (RFC 9110 section 7.2).
  static let host = HTTPField.Name("Host")!
}

extension OutgoingRequest: Described {
  /// The method and the URL, with secrets masked.
  public var description: String { "\(head.method) \(redaction.redacting(url: url))" }
}

/// The way in which a request uses the client's cache.
struct CacheUse: Sendable, Hashable {
  var mode = CacheMode.standard
  /// Whether the response must be fresh, or sent or validated by the server now: stale responses are not
  /// used, even where they are allowed.
  var isCurrent = false
  /// Whether the server could not be reached, so that a stale response may be used instead.
  var isOffline = false

  /// Whether the request may be sent to the server.
  var maySend: Bool { mode != .cacheOnly && !isOffline }
}
