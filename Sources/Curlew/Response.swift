public import HTTPTypes

/// A value with the head of the response that brought it.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// Status and header fields.
  public let head: HTTPResponse
  /// The request that was answered: the last one, after redirects.
  let request: OutgoingRequest

  /// The URL that answered, after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }
}

extension Response: CustomReflectable {
  /// Shows the value, the status, the header fields with masks for secret ones, and the URL.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "value": value, "status": head.status,
        "headerFields": request.redaction.redacting(head.headerFields, secretsOf: request.head),
        "url": url,
      ], displayStyle: .struct)
  }
}
