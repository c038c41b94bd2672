public import Foundation
public import HTTPTypes

/// Sends one request to a server and hands back its answer: the seam between Curlew and a network.
///
/// A transport does not follow redirects, keeps no cookies and no cache, and does not judge the
/// status: the client does all of that, the same way on every transport. It stops the transfer and
/// throws when its task is cancelled; what else it throws is reported as
/// ``Client/Error/transport(_:)``: a ``TransportError`` and a `URLError` with their kind, any other
/// error as ``Client/TransportFailure/Kind/other``.
public protocol Transport: Sendable {
  /// Sends a request and returns once the head of the answer is there.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

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
    /// Keeps the limits of time; `nil` outside of a client.
    var lease: Watchdog.Lease?
  }

  private var box: Box

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

  /// What it carries; `nil` for nothing.
  public var body: Data? {
    get { box.fields.body }
    set { change { $0.body = newValue } }
  }

  /// The endpoint that it came from.
  public var endpoint: any Endpoint { box.fields.endpoint }

  /// Keeps the limits of time.
  var lease: Watchdog.Lease? {
    get { box.fields.lease }
    set { change { $0.lease = newValue } }
  }

  /// What it may take.
  public var limits: Limits {
    get { box.fields.limits }
    set { change { $0.limits = newValue } }
  }

  /// What must be kept out of texts about it.
  public var redaction: Redaction {
    get { box.fields.redaction }
    set { change { $0.redaction = newValue } }
  }

  /// The whole URL, secrets included: for sending, not for showing.
  public var url: String {
    "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"
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

/// Says that an answer's header is longer than a transport takes.
package struct HeaderTooLong: Error {
  package init() {}
}

/// The answer to a request, whose body may still be arriving.
public struct IncomingResponse: Sendable {
  /// Status and header fields.
  public var head: HTTPResponse
  /// The content, decoded where the transport undid a content coding.
  public var body: ResponseBody
  /// The request that this answers: the last one, after redirects.
  var request: OutgoingRequest?

  /// Creates an answer.
  public init(head: HTTPResponse, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}

extension IncomingResponse: CustomReflectable {
  /// Shows the status and the header fields, with masks for those that are secret by default.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": head.status, "headerFields": Redaction().redacting(head.headerFields),
      ], displayStyle: .struct)
  }
}
