public import Foundation
public import HTTPTypes

/// A decoded value with the head of its response.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The response's status and header fields.
  public let head: HTTPResponse
  /// The request that this is the response to: the last one, after redirects.
  package let request: OutgoingRequest

  /// What the cache did; `nil` without a cache.
  public let cacheStatus: CacheStatus?
  /// When the server sent the response, or validated the stored one; `nil` without a cache.
  public let asOf: Date?

  init(value: Value, _ response: IncomingResponse, to request: OutgoingRequest) {
    (self.value, self.request) = (value, request)
    (head, cacheStatus, asOf) = (response.head, response.cacheStatus, response.asOf)
  }

  /// The URL that the response came from, after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }
}

extension Response: Mirrored {
  package var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "value": value, "status": head.status,
      "headerFields": request.redaction.redacting(head.headerFields, secretsOf: request.head),
      "url": url,
    ]
  }
}
