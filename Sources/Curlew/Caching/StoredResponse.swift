public import Foundation
public import HTTPTypes

/// A response in a cache, without its body.
public struct StoredResponse: Sendable, Hashable, Identifiable {
  /// The identity of the stored body: each stored response gets a new id.
  public var id: UUID
  /// The normalised values of the request's fields that the response's `Vary` names, by their canonical
  /// (lowercase) names.
  ///
  /// Fields that the request did not have are missing. The values are never secrets.
  public var variant: [String: String]
  /// The response's status and header fields (RFC 9111 section 3.1: without connection-specific fields).
  public var head: HTTPResponse
  /// The date at which the request was sent, for the response's age (RFC 9111 section 4.2.3).
  public var requestTime: Date
  /// The date at which the response's head arrived, or the head of the last response that freshened it.
  public var responseTime: Date
  /// The size of the stored body in bytes.
  public var bodySize: Int64
  /// Whether the transport decoded the body's content coding.
  public var isDecoded: Bool
  /// Whether the response was marked as outdated, for example after a write that changed the resource
  /// (`ResponseCache.invalidate(_:andBelow:redaction:)`): it is validated before its next use.
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
