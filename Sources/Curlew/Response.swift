public import Foundation
public import HTTPTypes

/// A decoded value with the head of its response.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The response's status and header fields.
  public let head: HTTPResponse
  /// The request of this response; after redirects, the last request.
  package let request: OutgoingRequest

  /// How the cache handled the request; `nil` without a cache.
  public let cacheStatus: CacheStatus?
  /// The date when the server sent the response or validated the stored response; `nil` without a cache.
  public let asOf: Date?

  init(value: Value, _ response: IncomingResponse, to request: OutgoingRequest) {
    (self.value, self.request) = (value, request)
    (head, cacheStatus, asOf) = (response.head, response.cacheStatus, response.asOf)
  }

  /// The URL of the response after redirects, with secret query items masked.
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
