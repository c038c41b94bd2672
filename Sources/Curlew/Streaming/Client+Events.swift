import HTTPTypes

extension Client {
  /// Returns the server-sent events of an endpoint (WHATWG HTML section 9.2); reconnects when the
  /// stream is interrupted.
  ///
  /// ```swift
  /// for try await event in client.events(.get("/events")) { show(event.data) }
  /// ```
  ///
  /// The request is sent when the sequence is iterated, with `Accept: text/event-stream`. When the server ends
  /// the stream, the connection is lost or another retryable error occurs (``Error/isRetryable``), the sequence
  /// waits according to the policy and reconnects with the `Last-Event-ID` of the last event; it reads the
  /// endpoint's path and fields for each connection. The status 204 ends the stream, as does an event for which
  /// `isEnd` returns `true`. Any other error ends the
  /// stream and is thrown, including ``Error/decoding(_:)`` for a response that is not `text/event-stream`.
  ///
  /// An endpoint that is not retryable (``Request/retryable(_:)``), such as a `POST`, connects only once: the
  /// end of its body ends the stream.
  ///
  /// ``Limits/idle`` applies between two chunks: a stream that is silent for longer counts as lost and
  /// reconnects. Servers send comments to prevent that; if a server doesn't, set a longer limit in
  /// ``Request/limits(_:)``. ``Limits/eventSize`` limits each event. The transfer ends when the iterator is
  /// released or its task is cancelled.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint. Its `Response` is the type of ``ServerSentEvents/values``.
  ///   - policy: The reconnection policy and the starting point.
  ///   - isEnd: Returns whether an event is the stream's own end, such as the `[DONE]` of language models: it ends
  ///     the sequence, without a reconnection, and is not delivered; `nil` if the stream has no such event.
  public func events<E: Endpoint>(
    _ endpoint: E, policy: EventStreamPolicy = EventStreamPolicy(),
    until isEnd: (@Sendable (ServerSentEvent) -> Bool)? = nil
  ) -> ServerSentEvents<E.Response> {
    ServerSentEvents(client: self, endpoint: endpoint, policy: policy, isEnd: isEnd)
  }
}

extension HTTPField.Name {
  /// `Last-Event-ID` (WHATWG HTML section 9.2.4).
  static let lastEventID = Self("Last-Event-ID")!
}

extension StreamedResponse {
  /// Checks the response's content type.
  ///
  /// - Throws: ``Client/Error/decoding(_:)`` if it is not `text/event-stream`.
  func checkIsEventStream() throws(Client.Error) {
    let type = head.headerFields.mediaType
    if type?.type == "text", type?.subtype == "event-stream" { return }
    let text = head.headerFields[.contentType].map {
      request.redaction.redacting($0, secretsOf: request.head).shortened
    }
    throw .decoding(
      Client.DecodingFailure(
        request: request.description, type: "ServerSentEvent", codingPath: "",
        reason: "the response's content type is \(text ?? "missing"), not text/event-stream.",
        excerpt: "",
        kind: type?.subtype == "html" ? .webPage : .unexpected))
  }
}
