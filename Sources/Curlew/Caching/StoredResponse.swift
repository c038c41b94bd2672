public import Foundation
public import HTTPTypes

/// A response in a cache, without its body.
public struct StoredResponse: Sendable, Hashable, Identifiable {
  /// The identity of the stored body: each response that is stored gets a new one.
  public var id: UUID
  /// The normalised values of the request's fields that the response's `Vary` names, by their canonical
  /// (lowercase) names.
  ///
  /// Those that the request did not have are missing. Never secrets.
  public var variant: [String: String]
  /// The response's status and header fields (RFC 9111 section 3.1: without those of the connection).
  public var head: HTTPResponse
  /// When the request was sent, for the response's age (RFC 9111 section 4.2.3).
  public var requestTime: Date
  /// When the response's head arrived, or that of the last response that freshened it.
  public var responseTime: Date
  /// The size of the stored body in bytes.
  public var bodySize: Int64
  /// Whether the transport decoded the body's content coding.
  public var isDecoded: Bool
  /// Whether it is known to be out of date, as after a write that changed what it shows
  /// (``ResponseCache/invalidate(_:andBelow:redaction:)``): the server is asked before it is used again.
  public var isOutdated = false

  /// Creates a stored response.
  public init(
    id: UUID = UUID(), variant: [String: String] = [:], head: HTTPResponse, requestTime: Date,
    responseTime: Date, bodySize: Int64 = 0, isDecoded: Bool = false
  ) {
    self.id = id
    self.variant = variant
    self.head = head
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodySize = bodySize
    self.isDecoded = isDecoded
  }
}
