public import Foundation
public import HTTPTypes

/// Sends one request to a server and hands back its answer: the seam between Curlew and a network.
///
/// A transport does not follow redirects, keeps no cookies and no cache, and does not judge the
/// status: the client does all of that, the same way on every transport. It stops the transfer and
/// throws when its task is cancelled; what else it throws is reported as
/// ``Client/Error/transport(_:)``.
public protocol Transport: Sendable {
  /// Sends a request and returns once the head of the answer is there.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A request on its way through the middlewares to the transport.
public struct OutgoingRequest: Sendable {
  /// Method, scheme, authority, path with query, and header fields (RFC 9110 section 7.1).
  public var head: HTTPRequest
  /// What it carries; `nil` for nothing.
  public var body: Data?
  /// The endpoint that it came from.
  public let endpoint: any Endpoint
  /// What it may take.
  public var limits: Limits
  /// What must be kept out of texts about it.
  public var redaction: Redaction

  /// Creates a request.
  public init(
    head: HTTPRequest,
    body: Data? = nil,
    endpoint: any Endpoint,
    limits: Limits = Limits(),
    redaction: Redaction = Redaction()
  ) {
    self.head = head
    self.body = body
    self.endpoint = endpoint
    self.limits = limits
    self.redaction = redaction
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

/// The answer to a request, whose body may still be arriving.
public struct IncomingResponse: Sendable {
  /// Status and header fields.
  public var head: HTTPResponse
  /// The content, decoded where the transport undid a content coding.
  public var body: ResponseBody
  /// The request that this answers: the last one, after redirects.
  var request: HTTPRequest?

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
