public import HTTPTypes

/// A decoded value with the head of its response.
public struct Response<Value: Sendable>: Sendable {
  /// The decoded value.
  public let value: Value
  /// The response's status and header fields.
  public let head: HTTPResponse
  /// The request that this is the response to: the last one, after redirects.
  let request: OutgoingRequest

  /// The URL that the response came from, after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }
}

extension Response: CustomReflectable {
  /// A mirror that shows the value, the status, the header fields with secret values masked, and the
  /// URL.
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
