public import Foundation
public import HTTPTypes

/// A decoded value with the head of its response.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The response's status and header fields.
  public let head: HTTPResponse
  /// The request of this response; after redirects, the last request.
  public let request: OutgoingRequest

  /// The trailer fields, which follow the body (RFC 9110 section 6.5), at most ``Limits/headerSize``; `nil` if there are none,
  /// and with `URLSession`.
  public let trailers: HTTPFields?
  /// How the cache handled the request; `nil` without a cache.
  public let cacheStatus: CacheStatus?
  /// The date when the server sent the response or validated the stored response; `nil` without a cache.
  public let asOf: Date?

  init(value: Value, _ response: IncomingResponse, to request: OutgoingRequest) {
    (self.value, self.request, trailers) = (value, request, response.trailers())
    (head, cacheStatus, asOf) = (response.head, response.cacheStatus, response.cached.asOf)
  }

  /// The names in `Content-Encoding` that are no content coding, such as a charset: the body was not decoded from them;
  /// `nil` if there are none.
  public var unknownCoding: String? { head.headerFields.unknownCoding }

  /// The URL of the response after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }
}

extension Response: Mirrored {
  var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "value": value, "status": head.status,
      "headerFields": request.redaction.redacting(head.headerFields, secretsOf: request.head),
      "url": url,
    ]
  }
}
