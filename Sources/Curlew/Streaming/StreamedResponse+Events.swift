extension StreamedResponse {
  /// The server-sent events of this one response, as they arrive; can be iterated once.
  ///
  /// For an API that streams the response to a request as events, such as the tokens of a language
  /// model. The end of the body ends the sequence; an incomplete event at the end is dropped.
  /// ``Client/events(_:policy:until:)`` reconnects.
  public var events: some AsyncSequence<ServerSentEvent, Client.Error> & Sendable {
    IteratorSequence { events(after: "") }
  }

  func events(after lastEventID: String) -> ParsedChunks<ServerSentEventParser> {
    ParsedChunks(
      self, ServerSentEventParser(lastEventID: lastEventID, limit: request.limits.eventSize))
  }
}
