public import Foundation
public import HTTPTypes

/// A request on its way through the middlewares to the transport.
public struct OutgoingRequest: Sendable {
  /// All of it in one reference: it goes through many asynchronous calls, and each would copy it.
  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  struct Fields: Sendable {
    var head: HTTPRequest
    var body: Data?
    var endpoint: any Endpoint
    var limits: Limits
    var redaction: Redaction
    /// The time of the call; `nil` outside of a client.
    var call: CallDeadline?
    /// Who is told of waits.
    var waits: (any WaitObserver)?
  }

  private var box: Box
  /// The time limits on the wire; `nil` above the transport.
  var transfer: TransferDeadline?

  init(_ fields: Fields) {
    box = Box(fields)
  }

  /// Creates a request.
  public init(
    head: HTTPRequest,
    body: Data? = nil,
    endpoint: any Endpoint,
    limits: Limits = Limits(),
    redaction: Redaction = Redaction()
  ) {
    self.init(
      Fields(head: head, body: body, endpoint: endpoint, limits: limits, redaction: redaction))
  }

  /// Whether this is the other one, and not only equal to it.
  func isIdentical(to other: OutgoingRequest) -> Bool { box === other.box }

  private mutating func change(_ body: (inout Fields) -> Void) {
    var fields = box.fields
    body(&fields)
    box = Box(fields)
  }

  /// Method, scheme, authority, path with query, and header fields (RFC 9110 section 7.1).
  public var head: HTTPRequest {
    get { box.fields.head }
    set { change { $0.head = newValue } }
  }

  /// The body; `nil` for none.
  public var body: Data? {
    get { box.fields.body }
    set { change { $0.body = newValue } }
  }

  /// The endpoint that the request came from.
  public var endpoint: any Endpoint { box.fields.endpoint }

  /// The time, bytes and redirects that the request may take.
  ///
  /// A middleware may change them for what comes after it; ``Limits/total`` has begun with the call.
  public var limits: Limits {
    get { box.fields.limits }
    set { change { $0.limits = newValue } }
  }

  /// What must be kept out of texts about the request.
  public var redaction: Redaction {
    get { box.fields.redaction }
    set { change { $0.redaction = newValue } }
  }

  /// The whole URL, secrets included: for sending, not for showing.
  public var url: String {
    "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// Scheme, host and port (RFC 9110 section 4.3.1).
  package var origin: String { "\(head.scheme ?? "http")://\(head.authority ?? "")" }

  var call: CallDeadline? { box.fields.call }
  var waits: (any WaitObserver)? { box.fields.waits }

  /// Returns this request as one of the call that another one belongs to, which it has lost where a
  /// middleware made it anew.
  func keptInCall(of original: OutgoingRequest) -> OutgoingRequest {
    guard call == nil, let call = original.call else { return self }
    var copy = self
    copy.change { ($0.call, $0.waits) = (call, original.waits) }
    return copy
  }
}

extension OutgoingRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The method and the URL, fit for a log: secrets are masked.
  public var description: String { "\(head.method) \(redaction.redacting(url: url))" }

  /// As ``description``.
  public var debugDescription: String { description }

  /// Shows no more than ``description``.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
